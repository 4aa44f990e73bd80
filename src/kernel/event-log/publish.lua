-- publish.lua: appends outbox rows to a tenant's log, each once and in order, and pushes them to the nodes.
-- KEYS 1 head (the number of the last event appended; never expires)  2 log (a stream; its ids are the numbers)
-- ARGV 1 seconds until the log expires, or 0 to leave its expiry as it is  2 channel  then for each row:
--      the number before its first event, the number of its last event, the encoded row (see codec.ts)
-- Returns {state, last, extended}: state 1 if all rows are in, 0 if numbers before the first are missing, -1 alone if
--      no head is known; extended 1 if the expiry was set.

-- Nearly always all rows go in, so reading and setting the head is one command.
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
