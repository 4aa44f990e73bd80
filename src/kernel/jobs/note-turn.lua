-- Records that the job with this turn was taken, so that later jobs come after it.
-- KEYS[1]: the turns of a queue. ARGV[1]: the turn. Returns 0 if the queue has no turns.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if tonumber(redis.call('HGET', KEYS[1], '') or '0') < tonumber(ARGV[1]) then redis.call('HSET', KEYS[1], '', ARGV[1]) end
return 1
