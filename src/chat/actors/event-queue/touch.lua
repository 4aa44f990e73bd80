-- touch.lua – remember of queues how far their clients are, and that they live.
-- KEYS for each: queue, its user's queues
-- ARGV for each: queue id, acknowledged number, floor
-- Returns for each 1, or 0 when the queue is gone.
local time = redis.call('TIME')
-- As text: Lua would round such a number on its way to Redis.
local now = time[1] .. '.' .. string.format('%06d', time[2])
local there = {}

for i = 1, #KEYS / 2 do
  local queue, queues, at = KEYS[2 * i - 1], KEYS[2 * i], 3 * i - 2
  local life = redis.call('HGET', queue, 'life')
  there[i] = life and 1 or 0
  if life then
    redis.call('HSET', queue, 'acked', ARGV[at + 1], 'floor', ARGV[at + 2])
    redis.call('PEXPIRE', queue, life)
    redis.call('ZADD', queues, now, ARGV[at])
    -- As long as the longest of them.
    if redis.call('PTTL', queues) < tonumber(life) then redis.call('PEXPIRE', queues, life) end
  end
end
return there
