-- begin.lua: sets the number after which a log continues, if Redis has none or is too far behind.
-- KEYS 1 head
-- ARGV 1 number
-- Returns the current head, which never goes backwards.
local last = tonumber(redis.call('GET', KEYS[1]) or -1)
if tonumber(ARGV[1]) > last then
  redis.call('SET', KEYS[1], ARGV[1])
  last = tonumber(ARGV[1])
end
return last
