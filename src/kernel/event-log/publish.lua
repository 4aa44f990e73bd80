-- publish.lua – append rows of the outbox to a tenant's log, each once and in order, and push them to the nodes.
-- KEYS 1 head (the number of the last event appended; never expires)  2 log (stream; its ids are the numbers)
-- ARGV 1 seconds after which the log is to end now, or 0 to leave that as it is  2 channel  then for each row:
--      number before its first event, number of its last event, the row as text (see codec.ts)
-- Returns {state, last, put off}: state 1 when all are in, 0 when numbers before the first are missing, -1 and nothing else
--      when no head is known; put off 1 when the end of the log was.

-- Nearly always all of them go in: to read the head and to set it is then one command.
local newest = ARGV[#ARGV - 1]
local found = redis.call('SET', KEYS[1], newest, 'GET')
if not found then
  redis.call('DEL', KEYS[1])
  return {-1}
end
local head, last, state = found, tonumber(found), 1

for i = 3, #ARGV, 3 do
  if tonumber(ARGV[i]) > last then
    state = 0
    break
  end
  local number = tonumber(ARGV[i + 1])
  if number > last then
    redis.call('XADD', KEYS[2], ARGV[i + 1], 'row', ARGV[i + 2])
    redis.call('PUBLISH', ARGV[2], ARGV[i + 2])
    head, last = ARGV[i + 1], number
  end
end
if head ~= newest then redis.call('SET', KEYS[1], head) end
local putOff = ARGV[1] ~= '0' and redis.call('EXPIRE', KEYS[2], ARGV[1]) or 0
return {state, last, putOff}
