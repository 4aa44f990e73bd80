-- lease.lua: takes, extends or releases the right to act for an address.
-- KEYS 1 lease
-- ARGV 1 verb (take | keep | release)  2 token  3 milliseconds
-- Returns 1 if the caller holds (or held) the lease, 0 if another or nobody does.
local holder = redis.call('GET', KEYS[1])
if ARGV[1] == 'take' then
  if holder and holder ~= ARGV[2] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return 1
end
if holder ~= ARGV[2] then return 0 end
if ARGV[1] == 'keep' then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
else
  redis.call('DEL', KEYS[1])
end
return 1
