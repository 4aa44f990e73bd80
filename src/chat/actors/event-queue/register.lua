-- register.lua – begin a queue, and end the longest idle of its user where there are too many.
-- KEYS 1 queue  2 the user's queues, by their last sign of life
-- ARGV 1 milliseconds it lives in silence  2 most queues of one user  3 queue id  4 what ids are put to for their keys
--      5 milliseconds that the longest lives  then pairs of field and value
-- Returns the ids of the queues that were ended.
local now = redis.call('TIME')
-- As text: Lua would round such a number on its way to Redis.
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
