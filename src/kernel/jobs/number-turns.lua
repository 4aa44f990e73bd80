-- KEYS[1]: the turns of a queue: of each tenant its last one, and under the empty name the one that was taken last.
-- ARGV[1]: the highest number of a turn; ARGV[2]: how long to remember, in milliseconds; then a tenant for each job.
-- Returns a number for each job: a tenant that is quiet gets the next turn, one with a backlog stands behind its own.
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
