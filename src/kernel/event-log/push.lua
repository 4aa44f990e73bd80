-- push.lua: pushes an event beside a tenant's log to the nodes, without storing it.
-- KEYS 1 head (the number of the last event appended)  2 the last position beside the log
-- ARGV 1 channel  2 marker (see codec.ts)  3 room between two numbers (see position.ts)  4 a position to be exceeded
--      5 seconds to keep the last position  6 the event
-- Returns 2 if pushed, 1 if there is no room before the next number, 0 if no head is known.
local head = redis.call('GET', KEYS[1])
if not head then return 0 end
local room = tonumber(ARGV[3])
local from = tonumber(head) * room
local last = math.max(from, tonumber(redis.call('GET', KEYS[2]) or 0), tonumber(ARGV[4]))
local index = last + 1 - from
if index >= room then return 1 end
redis.call('SET', KEYS[2], string.format('%.0f', last + 1), 'EX', ARGV[5])
redis.call('PUBLISH', ARGV[1], ARGV[2] .. head .. ' ' .. index .. ' ' .. ARGV[6])
return 2
