-- touch.lua – remember how far the client is, and that it lives.
-- KEYS 1 queue  2 the user's queues
-- ARGV 1 milliseconds it lives in silence, unless it has a life of its own  2 queue id  3 acknowledged number  4 floor
-- Returns 1, or 0 when the queue is gone.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'acked', ARGV[3], 'floor', ARGV[4])
local life = redis.call('HGET', KEYS[1], 'life') or ARGV[1]
redis.call('PEXPIRE', KEYS[1], life)
local now = redis.call('TIME')
redis.call('ZADD', KEYS[2], now[1] .. '.' .. string.format('%06d', now[2]), ARGV[2])
-- As long as the longest of them.
if redis.call('PTTL', KEYS[2]) < tonumber(life) then redis.call('PEXPIRE', KEYS[2], life) end
return 1
