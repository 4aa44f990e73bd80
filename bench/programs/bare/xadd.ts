/** Limit: XADD of 1.2 KB to one stream, with a fixed number of commands per pipeline. */
import { Redis } from 'ioredis';
import type { Measurement } from '../../harness/benchmark';
import { measured } from '../../harness/closed-loop';
import { program, type Shape } from '../../harness/program';
import { EVENT } from '../payload';

export interface Append extends Shape {
  readonly options: { readonly redisUrl: string; readonly key: string };
  readonly ready: null;
  readonly order: { readonly events: number; readonly depth: number };
  readonly report: Measurement;
}

program<Append>(({ redisUrl, key }) => {
  const redis = new Redis(redisUrl);
  return Promise.resolve({
    ready: null,
    async run({ events, depth }) {
      await redis.unlink(key);
      const took: number[] = [];
      const began = performance.now();
      while (took.length < events) {
        const sent = performance.now();
        const pipeline = redis.pipeline();
        for (let index = 0; index < depth; index += 1) pipeline.xadd(key, took.length + index + 1, 'e', EVENT);
        await pipeline.exec();
        const each = performance.now() - sent;
        for (let index = 0; index < depth; index += 1) took.push(each);
      }
      return measured(took, performance.now() - began);
    },
  });
});
