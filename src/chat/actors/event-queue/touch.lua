-- touch.lua – remember of queues how far their clients are, and that they live.
-- KEYS for each: queue, its user's queues
-- ARGV for each: milliseconds it lives in silence, acknowledged number, floor, its id if it is to move up among its
--      user's queues, else ''
-- Returns for each 1, or 0 when the queue is gone.
local there = {}
local now

for i = 1, #KEYS / 2 do
  local queue, queues, at = KEYS[2 * i - 1], KEYS[2 * i], 4 * i - 3
  local life, id = ARGV[at], ARGV[at + 3]
  there[i] = redis.call('PEXPIRE', queue, life)
  if there[i] == 1 then
    redis.call('HSET', queue, 'acked', ARGV[at + 1], 'floor', ARGV[at + 2])
    if id ~= '' then
      now = now or redis.call('TIME')
      -- As text: Lua would round such a number on its way to Redis.
      redis.call('ZADD', queues, now[1] .. '.' .. string.format('%06d', now[2]), id)
      -- As long as the longest of them.
      if redis.call('PTTL', queues) < tonumber(life) then redis.call('PEXPIRE', queues, life) end
    end
  end
end
return there
