# frozen_string_literal: true

require 'date'
require_relative 'theatre/seat'

# Plays, seats and tickets.
module Theatre
  VERSION = '2.1.0'
  ROWS, SEATS = 20, 32
  PRICES = {
    stalls: 45,
    circle: 38,
    'gods' => 12,
  }.freeze
  Error = Class.new(StandardError)
  Point = Struct.new(:row, :seat) do
    def to_s
      "#{row}/#{seat}"
    end
  end

  class SoldOut < Error
    attr_reader :play, :date

    def initialize(play, date = Date.today)
      @play = play
      @date = date
      super("#{play} is sold out")
    end
  end

  module Priced
    def self.included(base)
      base.extend(ClassMethods)
    end

    module ClassMethods
      def cheapest
        all.min_by(&:price)
      end
    end

    def price(discount: 0)
      PRICES.fetch(area) - discount
    end
  end

  class Ticket
    include Comparable
    include Priced

    attr_accessor :holder, :area
    attr_writer :code

    @@count = 0
    AREAS = %i[stalls circle gods].freeze

    class << self
      attr_reader :registry

      def create(*args, **options, &block)
        new(*args, **options).tap(&block)
      end

      private

      def reset!
        @@count = 0
      end
    end

    def self.count
      @@count
    end

    def initialize(holder, area: :stalls)
      @holder = holder
      @area = area
      @@count += 1
    end

    def <=>(other)
      price <=> other.price
    end

    def [](key)
      instance_variable_get("@#{key}")
    end

    def area=(value)
      raise ArgumentError, "no area #{value}" unless AREAS.include?(value)

      @area = value
    end

    def valid?
      !holder.nil? && AREAS.include?(area)
    end

    def +(other) = [self, other]

    def each_row
      return to_enum(:each_row) unless block_given?

      1.upto(ROWS) do |row|
        label = row < 10 ? "0#{row}" : row.to_s
        yield label
      end
    end

    alias to_str to_s
    alias_method :owner, :holder

    define_method(:seat) do |number|
      number % SEATS
    end

    protected

    def secret
      @code || 'none'
    end

    private

    def helper(value)
      case value
      when Integer, Float then value.abs
      when nil
        0
      else value.to_i
      end
    end

    def log(message)
      warn message
    end

    public

    def visible
      helper(3)
    end

    private def hidden
      1
    end

    private_class_method def self.internal
      2
    end
  end

  class Play
    class Scene
      MAX = 5

      def act(number)
        number.between?(1, MAX) and number
      end
    end

    attr_reader :title,
                :scenes

    def initialize(title)
      @title = title
      @scenes = []
    end

    def book(seats, date: Date.today, &block)
      free = seats.reject { |seat| taken?(seat, date) }
      raise SoldOut.new(title, date) if free.empty?

      begin
        free.each(&block)
      rescue IOError => e
        warn e.message
        retry
      ensure
        @last = free.last
      end
      -> (n) { n * 2 }
    end

    def method_missing(name, *args)
      name.to_s.start_with?('scene_') ? @scenes[args.first] : super
    end
  end
end

class Theatre::Box
  def open
    :open
  end
end

class Theatre::Play
  def reopen
    true
  end
end

def season(year)
  year..year + 1
end

if RUBY_ENGINE == 'jruby'
  def platform
    :java
  end
else
  def platform
    :c
  end
end
