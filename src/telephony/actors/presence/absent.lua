-- absent.lua – which of these users no node has reported lately.
-- KEYS 1 users by node, by when the report runs out (sorted set of "user node")  2 since when this Redis has known anything
-- ARGV 1 milliseconds a report lasts at most  then users
-- Returns the absent ones; none while this Redis is younger than a report: it may have lost what it was told.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('SET', KEYS[2], now, 'NX')
redis.call('EXPIRE', KEYS[2], 86400)
if now - tonumber(redis.call('GET', KEYS[2])) < tonumber(ARGV[1]) then return {} end
local here = {}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')) do
  here[string.match(member, '^%S+')] = true
end
local absent = {}
for i = 2, #ARGV do
  if not here[ARGV[i]] then absent[#absent + 1] = ARGV[i] end
end
return absent
