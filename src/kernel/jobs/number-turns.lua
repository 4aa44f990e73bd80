-- Assigns turns to jobs: a quiet tenant gets the next turn, one with a backlog comes after its own last one.
-- KEYS[1]: the turns of a queue: the last turn of each tenant and, under the empty name, the turn taken last.
-- ARGV[1]: the highest turn; ARGV[2]: how long to remember, in milliseconds; then the tenant of each job.
-- Returns the turn of each job.
local now = tonumber(redis.call('HGET', KEYS[1], '') or '0')
local turns = {}
for index = 3, #ARGV do
  local last = tonumber(redis.call('HGET', KEYS[1], ARGV[index]) or '0')
  local turn = math.min(math.max(now, last) + 1, tonumber(ARGV[1]))
  redis.call('HSET', KEYS[1], ARGV[index], turn)
  turns[index - 2] = turn
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return turns
