-- absent.lua – returns the users that no node has reported recently.
-- KEYS 1 sorted set of "user node", scored by the expiry of the report  2 when this Redis first saw a report or sweep
-- ARGV 1 maximum validity of a report in milliseconds  then users
-- Returns the absent users. Returns none while key 2 is younger than a report: Redis may have lost reports.
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
