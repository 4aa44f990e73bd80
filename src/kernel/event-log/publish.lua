-- publish.lua – append events to a tenant's log, each number once and in order, and push them to the nodes.
-- KEYS 1 head (the last number appended; never expires)  2 log (stream; entry ids are the numbers)
-- ARGV 1 seconds the log outlives its last event  2 channel  then pairs of number, body
-- Returns {1, last} when all are in, {0, last} when numbers before the first are missing, {-1} when no head is known.
local last = tonumber(redis.call('GET', KEYS[1]))
if not last then return {-1} end
local first = last
local state = 1
for i = 3, #ARGV, 2 do
  local number = tonumber(ARGV[i])
  if number > last + 1 then
    state = 0
    break
  end
  if number == last + 1 then
    redis.call('XADD', KEYS[2], ARGV[i], 'e', ARGV[i + 1])
    redis.call('PUBLISH', ARGV[2], ARGV[i] .. ' ' .. ARGV[i + 1])
    last = number
  end
end
if last > first then
  redis.call('SET', KEYS[1], last)
  redis.call('EXPIRE', KEYS[2], ARGV[1])
end
return {state, last}
