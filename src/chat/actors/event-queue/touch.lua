-- touch.lua – extend the expiry of queues, and store how far their clients are.
-- KEYS for each queue: queue, its user's queues
-- ARGV for each queue: lifetime in ms, acknowledged position, floor, and its id to refresh its rank among its
-- user's queues, else ''
-- Returns for each queue 1, or 0 if the queue is gone.
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
      -- As text: Lua would round a number of this size.
      redis.call('ZADD', queues, now[1] .. '.' .. string.format('%06d', now[2]), id)
      -- The set must outlive the user's longest-lived queue.
      if redis.call('PTTL', queues) < tonumber(life) then redis.call('PEXPIRE', queues, life) end
    end
  end
end
return there
