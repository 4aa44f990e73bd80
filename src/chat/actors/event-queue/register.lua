-- register.lua – create a queue. If its user has too many, delete the least recently used ones.
-- KEYS 1 queue  2 the user's queues, scored by last activity
-- ARGV 1 queue lifetime in ms  2 maximum queues per user  3 queue id  4 key prefix of queues
-- 5 longest possible lifetime in ms  then pairs of field and value
-- Returns the ids of the deleted queues.
local now = redis.call('TIME')
-- As text: Lua would round a number of this size.
local moment = now[1] .. '.' .. string.format('%06d', now[2])
redis.call('HSET', KEYS[1], unpack(ARGV, 6))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now[1] - math.ceil(ARGV[5] / 1000))
redis.call('ZADD', KEYS[2], moment, ARGV[3])
if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[2], ARGV[1]) end
local ended = {}
local over = redis.call('ZCARD', KEYS[2]) - tonumber(ARGV[2])
if over > 0 then
  local oldest = redis.call('ZPOPMIN', KEYS[2], over)
  for i = 1, #oldest, 2 do
    redis.call('DEL', ARGV[4] .. oldest[i])
    ended[#ended + 1] = oldest[i]
  end
end
return ended
