-- report.lua – say that a node has clients of these users, for a while.
-- KEYS 1 users by node, by when the report runs out (sorted set of "user node")  2 since when this Redis has known anything
-- ARGV 1 node  2 milliseconds the report lasts  3 milliseconds it may last at all  then users
-- Returns nothing.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 4, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[i] .. ' ' .. ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], now, 'NX')
redis.call('EXPIRE', KEYS[2], 86400)
