-- report.lua – records for a while that a node has clients of these users.
-- KEYS 1 sorted set of "user node", scored by the expiry of the report  2 when this Redis first saw a report or sweep
-- ARGV 1 node  2 validity of the report in milliseconds  3 maximum validity in milliseconds  then users
-- Returns nothing.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 4, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[i] .. ' ' .. ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('SET', KEYS[2], now, 'NX')
redis.call('EXPIRE', KEYS[2], 86400)
