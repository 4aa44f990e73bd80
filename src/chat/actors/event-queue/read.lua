-- read.lua – read a queue.
-- KEYS 1 queue
-- Returns its fields and values, or an empty list if the queue is gone.
return redis.call('HGETALL', KEYS[1])
