# frozen_string_literal: true

require "json"
require_relative "base"

MAX_DRAUGHT = 12
VERSION, BUILD = "1.0", 7

# A harbour.
module Harbour
  RATES = { adult: 500, "child" => 100 }.freeze

  class Error < StandardError; end

  Entry = Struct.new(:ship, :draught) do
    def late?
      draught > MAX_DRAUGHT
    end
  end

  class Berth < Base
    include Comparable
    extend Forwardable

    attr_reader :number, :log
    attr_accessor :state

    LIMIT = 3

    class << self
      def open(number)
        new(number)
      end
    end

    def self.closed
      @closed ||= []
    end

    def initialize(number, pilot: nil, **options)
      @number = number
      @log = []
    end

    def assign(ship, draught = 1, *rest, &block)
      raise Error, "too deep: #{draught}" if draught > MAX_DRAUGHT

      entry = Entry.new(ship, draught)
      @log << entry
      yield entry if block_given?
      case draught
      when 1..3 then :small
      else :big
      end
    end

    def <=>(other)
      number <=> other.number
    end

    def [](index) = log[index]

    def state=(value)
      @state = value
    end

    def empty?
      log.empty?
    end

    alias size number
    alias_method :place, :number

    define_method(:report) do |format|
      log.map { |e| e.to_h }.to_json
    end

    protected

    def secret
      %w[a b].each(&:upcase)
    end

    private

    def hide
      super
    end

    public

    private def hidden_too
      1
    end

    def text
      <<~TEXT
        Berth #{number}
          of the harbour
      TEXT
    end
  end

  module Tide
    module_function

    def height(at)
      at % 12
    end
  end
end

class Harbour::Pilot
  def guide; end
end

def top_level(name)
  puts 'hello ' + name
end

handler = lambda do |event|
  event
end

RSpec.describe Harbour::Berth do
  let(:berth) { described_class.new(1) }

  it "refuses deep ships" do
    expect { berth.assign("a", 13) }.to raise_error(Harbour::Error)
  end
end
