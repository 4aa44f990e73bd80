-- publish.lua – append events to a tenant's log, each number once and in order, and push them to the nodes.
-- KEYS 1 head (the last number appended; never expires)  2 log (stream; entry ids are the numbers)
-- ARGV 1 seconds the log outlives its last event  2 channel  then for each row of the outbox (see outbox-rows.ts):
--      number of its last event, how many events, record that goes into the first one's gap or '', body
-- Returns {1, last} when all are in, {0, last} when numbers before the first are missing, {-1} when no head is known.
local BETWEEN_EVENTS, RECORD_GAP, LEAD_END = '\30', '\31', '\29'

local last = tonumber(redis.call('GET', KEYS[1]))
if not last then return {-1} end
local first = last
local state = 1

local function push(numbers, text)
  redis.call('PUBLISH', ARGV[2], numbers .. ' ' .. text)
end

-- The event that stands between two places of a body, and what it begins with if it says so, else what the one before did.
local function read(body, from, to, lead, record)
  local rest = from
  local ledTo = string.find(body, LEAD_END, from, true)
  if ledTo and ledTo <= to then
    if ledTo > from then lead = string.sub(body, from, ledTo - 1) end
    rest = ledTo + 1
  end
  local begins = rest > from and lead or ''
  local gap = record and string.find(body, RECORD_GAP, rest, true)
  if not gap or gap > to then return begins .. string.sub(body, rest, to), lead end
  local number = string.format('%.0f', record)
  return begins .. string.sub(body, rest, gap - 1) .. number .. string.sub(body, gap + 1, to), lead
end

-- Appends what is new of a row. What is new as a whole is pushed as it is, else its events one by one.
local function appendRow(number, events, firstRecord, body)
  local first = number - events + 1
  local isWhole = events > 1 and first == last + 1
  local record = tonumber(firstRecord)
  local from, lead, event = 1, '', ''
  for at = first, number do
    local to = (string.find(body, BETWEEN_EVENTS, from, true) or #body + 1) - 1
    event, lead = read(body, from, to, lead, record)
    if at > last then
      local name = string.format('%.0f', at)
      redis.call('XADD', KEYS[2], name, 'e', event)
      if not isWhole then push(name, event) end
      last = at
    end
    from = to + 2
    record = record and record + 1
  end
  if isWhole then push(string.format('%.0f-%.0f@%s', first, number, firstRecord), body) end
end

for i = 3, #ARGV, 4 do
  local number, events, record, body = tonumber(ARGV[i]), tonumber(ARGV[i + 1]), ARGV[i + 2], ARGV[i + 3]
  if number - events > last then
    state = 0
    break
  end
  if number > last then
    if events == 1 and record == '' and not string.find(body, LEAD_END, 1, true) then
      -- Most rows: there is nothing to take apart, and what Lua takes apart it copies and hashes.
      redis.call('XADD', KEYS[2], ARGV[i], 'e', body)
      push(ARGV[i], body)
      last = number
    else
      appendRow(number, events, record, body)
    end
  end
end
if last > first then
  redis.call('SET', KEYS[1], last)
  redis.call('EXPIRE', KEYS[2], ARGV[1])
end
return {state, last}
