-- Games, scores and coins of an arcade.
local json = require("json")
local insert, concat = table.insert, table.concat

local MAX_COINS = 99
local M = { _VERSION = "2.3", debug = false }

M.limits = {
  players = 4,
  lives = { easy = 5, hard = 3 },
  ["high-score"] = 999999,
  "positional",
  reset = function(self)
    self.players = 1
  end,
}

M.Direction = { LEFT = -1, RIGHT = 1, NONE = 0 }

version = "global"
window.width = 320

local Game = {}
Game.__index = Game
Game.title = "untitled"

--- Makes a game.
function Game.new(title, options)
  local self = setmetatable({}, Game)
  self.title = title or Game.title
  self.coins = options and options.coins or 0
  self.players = {}
  return self
end

function Game:insert(coins)
  local total = self.coins + coins
  if total > MAX_COINS then
    error(("too many coins: %d"):format(total), 2)
  elseif total < 0 then
    return nil, "negative"
  end
  self.coins = total
  return total
end

function Game:join(name, ...)
  local extra = { ... }
  local function label(n)
    return n .. "#" .. #self.players
  end
  for i, value in ipairs(extra) do
    if type(value) ~= "string" or value == "" then
      goto continue
    end
    insert(self.players, label(value))
    ::continue::
  end
  self.players[#self.players + 1] = label(name)
  return #self.players
end

function Game:loop(update, draw)
  local frame = 0
  repeat
    frame = frame + 1
    update(frame / 60)
    while self.paused do
      coroutine.yield("paused")
    end
    draw(self, [[
frame]], 'x')
  until frame >= 3600 or not self.running
  return function()
    return frame
  end
end

local Board = { add = nil, size = 10 }

local Score = {
  points = 0,
  add = function(self, points)
    self.points = self.points + points * 10
    return self
  end,
}

local function rank(points)
  if points > 5000 then
    return "gold"
  end
  return points > 1000 and "silver" or "bronze"
end

local best
best = function(scores)
  table.sort(scores, function(a, b)
    return a.points > b.points
  end)
  return scores[1]
end

function M.play(title, coins)
  local game = Game.new(title, { coins = coins })
  local ok, message = pcall(game.insert, game, 1)
  if not ok then
    print(message)
  end
  for step = 10, 1, -1 do
    M.tick(step & 3, step // 2)
  end
  return game
end

M.tick = function(step, half)
  return (step << 1) + half
end

function M.util.text.trim(s)
  return (s:gsub("^%s+", ""):gsub("%s+$", ""))
end

if jit then
  function clock()
    return os.clock() * 1000
  end
else
  function clock()
    return os.clock()
  end
end

local function fib(n)
  return n < 2 and n or fib(n - 1) + fib(n - 2)
end

M.Game, M.Score = Game, Score

do
  local hidden = 1
  function M.reveal()
    return hidden
  end
end

local names <const> = { "Ada", "Bob" }

return {
  Game = Game,
  play = M.play,
  rank = rank,
  export = function(list)
    local text = concat(list, ", ")
    return json.encode({ text = text, names = names })
  end,
}
