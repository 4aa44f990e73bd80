-- touch.lua – remember how far the client is, and that it lives.
-- KEYS 1 queue  2 the user's queues
-- ARGV 1 milliseconds it lives in silence  2 queue id  3 acknowledged number  4 floor
-- Returns 1, or 0 when the queue is gone.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'acked', ARGV[3], 'floor', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
local now = redis.call('TIME')
redis.call('ZADD', KEYS[2], now[1] .. '.' .. string.format('%06d', now[2]), ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return 1
