-- Berths of a harbour.
local M = {}

M.max_draught = 12
local rates, names = { 1, 2, 3 }, {}
COUNTER = 0

local handlers = {
  open = function(event)
    return event
  end,
  ["quoted"] = 2,
  nested = { deep = 'x' },
  7,
}

function M.new(number)
  local self = setmetatable({}, { __index = M })
  self.number = number
  return self
end

function M:assign(ship, draught)
  local function helper(n)
    return n + 1
  end
  if draught > M.max_draught then
    error("too deep: " .. ship)
  end
  for i, v in ipairs(rates) do
    names[i] = v
  end
  return helper(draught)
end

M.close = function(self)
  self.state = [[closed
  for good]]
end

local function hidden(...)
  return select("#", ...)
end

function top(n)
  repeat
    n = n - 1
  until n <= 0
  while n < 3 do n = n + 1 end
  return n
end

return M
