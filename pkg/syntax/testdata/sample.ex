defmodule Harbour.Berth do
  @moduledoc """
  Berths of a harbour.
  """

  use GenServer
  alias Harbour.{Entry, Log}
  import Enum, only: [map: 2]

  @max_draught 12
  @rates %{adult: 500}

  @type t :: %__MODULE__{number: integer}
  @typep code(x) :: {x, atom}
  @callback guide(ship :: String.t()) :: integer

  defstruct [:number, log: []]

  @doc """
  Gives the berth to the ship.
  """
  @doc since: "1.0"
  @spec assign(t, String.t(), integer) :: {:ok, t} | {:error, atom}
  def assign(berth, ship, draught \\ 1)

  def assign(_berth, _ship, draught) when draught > @max_draught do
    {:error, :deep}
  end

  def assign(%__MODULE__{log: log} = berth, ship, draught) do
    entry = %Entry{ship: ship, draught: draught}
    half = fn n -> n / 2 end

    log
    |> map(&half.(&1.draught))
    |> Enum.sum()

    {:ok, %{berth | log: [entry | log]}}
  end

  @impl true
  def init(state), do: {:ok, state}

  def size(berth), do: length(berth.log)

  defp hidden(a, b) when is_integer(a) and is_integer(b), do: a + b

  defmacro unless_closed(berth, do: block) do
    quote do
      if unquote(berth), do: unquote(block)
    end
  end

  defguard is_deep(n) when n > 3

  defdelegate close(berth), to: Log

  def a <> b, do: "#{a}#{b}"

  defmodule Slot do
    defexception message: "no slot"

    def reset, do: 'abc'
  end

  defimpl String.Chars, for: Entry do
    def to_string(entry), do: entry.ship
  end
end

defprotocol Harbour.Pilot do
  @doc "Guides."
  def guide(pilot, ship)
end

defmodule Harbour.BerthTest do
  use ExUnit.Case

  describe "assign" do
    test "refuses deep ships" do
      assert {:error, :deep} = Harbour.Berth.assign(%{}, "a", 13)
    end
  end
end
