defmodule Tram do
  @moduledoc """
  Lines, stops and the timetable of a tram network.
  """

  @max_lines 12
  @stops ~w(market harbour station)a
  @default_fare %{adult: 280, child: 140}
  @external_resource "priv/lines.csv"

  @type line :: 1..12
  @type stop :: %{name: String.t(), zone: pos_integer()}
  @typep seconds :: non_neg_integer
  @opaque ticket(kind) :: {kind, line}
  @callback depart(line, keyword()) :: :ok | {:error, term}
  @macrocallback trace(term) :: Macro.t()

  defstruct [:line, :driver, stops: [], delay: 0]

  defguard is_line(n) when is_integer(n) and n in 1..@max_lines
  defguardp is_late(t) when t > 120

  @doc "Starts a tram."
  @spec start(line, keyword) :: {:ok, pid} | :error
  def start(line, options \\ [])
  def start(line, options) when is_line(line) do
    delay = Keyword.get(options, :delay, 0)
    {:ok, spawn_link(__MODULE__, :loop, [%__MODULE__{line: line, delay: delay}])}
  end

  def start(_, _), do: :error

  @doc false
  @impl true
  def loop(%{stops: []} = tram), do: tram

  def loop(%__MODULE__{stops: [stop | rest], delay: delay} = tram) do
    case arrive(stop) do
      {:ok, wait} when wait > 30 ->
        loop(%{tram | stops: rest, delay: delay + wait})

      {:ok, _} ->
        loop(%{tram | stops: rest})

      {:error, reason} ->
        raise ArgumentError, "no such stop: #{inspect(reason)}"
    end
  end

  @deprecated "use arrive/2"
  defp arrive(stop) when stop in @stops, do: {:ok, 20}
  defp arrive(stop), do: {:error, stop}

  defmacro every(minutes, do: block) do
    quote do
      :timer.sleep(unquote(minutes) * 60_000)
      unquote(block)
    end
  end

  defmacrop debug(text), do: quote(do: IO.puts(unquote(text)))

  def late?(%{delay: delay}) when is_late(delay), do: true
  def late?(_), do: false

  def a + b, do: Kernel.+(a, b) * 1

  def fare(kind, zones \\ 1) do
    base = Map.fetch!(@default_fare, kind)

    zones
    |> Range.new(1)
    |> Enum.reduce(base, fn zone, sum -> sum + zone * 20 end)
    |> min(900)
  end

  defdelegate now(), to: Tram.Clock
  defdelegate format(time, style \\ :short), to: Tram.Clock, as: :show

  defmodule Stop do
    @enforce_keys [:name]
    defstruct name: nil, zone: 1

    @type t :: %__MODULE__{name: String.t()}

    defmodule Sign do
      def text(%{name: name}), do: String.upcase(name)
    end

    def new(name) when is_binary(name) do
      %__MODULE__{name: name}
    end
  end

  defmodule Full do
    defexception message: "the tram is full", line: nil

    @impl true
    def message(%{line: line}), do: "line #{line} is full"
  end
end

defmodule Tram.Clock do
  @zone "Europe/Vienna"

  def now, do: DateTime.now!(@zone)

  def show(time, :short), do: Calendar.strftime(time, "%H:%M")
  def show(time, :long), do: Calendar.strftime(time, "%H:%M:%S")

  def show(time, other) do
    with {:ok, format} <- fetch(other),
         text when text != "" <- Calendar.strftime(time, format) do
      text
    else
      :error -> ~s(unknown "#{other}")
      "" -> nil
    end
  end

  defp fetch(key), do: Map.fetch(%{iso: "%FT%T"}, key)
end

defprotocol Tram.Boardable do
  @doc "Lets someone in."
  @spec board(t, Tram.line()) :: boolean
  def board(passenger, line)

  @fallback_to_any true
  def seats(passenger)
end

defimpl Tram.Boardable, for: Map do
  def board(passenger, line), do: line in passenger.lines
  def seats(_), do: 1
end

defimpl Tram.Boardable, for: [List, Tuple] do
  def board(_, _), do: true
  def seats(list), do: length(list)
end

defmodule Tram.Schedule do
  use GenServer
  import Tram, only: [is_line: 1]
  alias Tram.{Clock, Stop}

  @table :schedule

  def start_link(init_arg) do
    GenServer.start_link(__MODULE__, init_arg, name: __MODULE__)
  end

  @impl GenServer
  def init(state), do: {:ok, Map.put(state, :at, Clock.now())}

  @impl GenServer
  def handle_call({:next, line}, _from, state) when is_line(line) do
    next =
      for {stop, times} <- state.stops, time <- times, time > state.at, into: %{} do
        {Stop.new(stop), time}
      end

    {:reply, next, state}
  end

  def handle_call(:table, _from, state), do: {:reply, @table, state}

  @impl GenServer
  def handle_cast({:shift, seconds}, state) do
    receive do
      :stop -> {:noreply, state}
    after
      1_000 -> {:noreply, Map.update(state, :shift, seconds, &(&1 + seconds))}
    end
  end

  if Mix.env() == :test do
    def seed, do: 42
  else
    def seed, do: :rand.uniform(100)
  end
end

defmodule Tram.ScheduleTest do
  use ExUnit.Case, async: true

  setup do
    %{line: 4}
  end

  describe "fare/2" do
    test "grows with the zones", %{line: line} do
      assert Tram.fare(:adult, 3) >= 280
      refute line == 5
    end
  end

  test "knows the time" do
    assert %DateTime{} = Tram.Clock.now()
  end
end
