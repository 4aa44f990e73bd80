/** Routes of the servers of others that this one calls: PBXs, carriers, webhooks, the mail server. */
import { z } from 'zod';
import { ensure } from '../../kernel/fault';
import { FAR_END_KINDS } from '../../kernel/far-ends/far-end';
import type { FarEndKeeper } from '../../kernel/far-ends/keeper';
import { readJson, text } from '../../kernel/http/params';
import { routesFor } from '../../kernel/http/route';
import { connect, disconnect, getKept, reconnect, testFarEnd } from '../commands/keep-far-ends';
import { NOTHING } from '../model/answers';
import type { FarEndReport } from '../model/far-end';
import {
  connectedAnswer,
  farEndObject,
  farEndsAnswer,
  keptFarEnd,
  kindObject,
  testAnswer,
} from '../model/far-end-wire';
import { farEndTaken, noSuchFarEnd, noSuchFarEndKind } from '../model/faults';
import { chosenFarEnds } from '../queries/far-ends';
import { actorOf, type Access, type Caller } from './access';
import { limitParam } from './queues';

const { get, post, patch, del } = routesFor<Caller>();

/** A field may hold a key, or as many numbers as a company has. */
const MAX_LENGTH = 20_000;
const fieldsParam = readJson(z.record(z.string().max(64), z.string().max(MAX_LENGTH))).meta({
  type: 'object',
  additionalProperties: { type: 'string' },
});

export interface FarEndParts {
  readonly lookAtFarEnds: () => Promise<readonly FarEndReport[]>;
  readonly keepers: readonly FarEndKeeper[];
}

export function farEndRoutes({ kernel }: Access, { lookAtFarEnds, keepers }: FarEndParts) {
  function keeperOf(kind: string): FarEndKeeper {
    const keeper = keepers.find((each) => each.kind === kind);
    ensure(keeper !== undefined, noSuchFarEndKind(kind));
    return keeper;
  }
  const refuses = [noSuchFarEndKind('fax')];
  const refusesOne = [noSuchFarEnd('pbx', 'one'), ...refuses];
  const refusesChange = [farEndTaken(), ...refusesOne];
  return [
    get('/far-ends', {
      summary: 'List PBXs, carrier accounts, webhooks and the mail server, with the last success and failure of each',
      answer: farEndsAnswer,
      isExpensive: true,
      params: {
        kind: text.pipe(z.enum(FAR_END_KINDS)).optional(),
        state: text.pipe(z.enum(['failing', 'ok', 'unknown'])).optional(),
        tenant: text.optional(),
        search: text.optional(),
        limit: limitParam,
      },
      async run({ params: { limit, ...wanted } }) {
        const found = chosenFarEnds(await lookAtFarEnds(), wanted);
        return {
          kinds: keepers.map(kindObject),
          total: found.length,
          far_ends: found.slice(0, limit).map(farEndObject),
        };
      },
    }),
    post('/far-ends/:kind', {
      summary: 'Connect a PBX or a carrier account to a company',
      answer: connectedAnswer,
      refuses: [farEndTaken(), ...refuses],
      params: { tenant: text, type: text, fields: fieldsParam },
      async run({ by, params: { kind, ...draft } }) {
        const keeper = keeperOf(kind);
        return { kind: keeper.kind, ...(await connect(kernel, keeper, draft, actorOf(by))) };
      },
    }),
    get('/far-ends/:kind/:id', {
      summary: 'Get how a PBX or a carrier account is connected, without its secrets',
      answer: keptFarEnd,
      refuses: refusesOne,
      async run({ params: { kind, id } }) {
        const keeper = keeperOf(kind);
        return { kind: keeper.kind, ...(await getKept(kernel, keeper, id)) };
      },
    }),
    patch('/far-ends/:kind/:id', {
      summary: 'Change how a PBX or a carrier account is connected; empty secrets stay as they are',
      answer: connectedAnswer,
      refuses: refusesChange,
      params: { fields: fieldsParam },
      async run({ by, params: { kind, id, fields } }) {
        const keeper = keeperOf(kind);
        return { kind: keeper.kind, id, shown: await reconnect(kernel, keeper, { id, fields }, actorOf(by)) };
      },
    }),
    post('/far-ends/:kind/:id/test', {
      summary: 'Call a PBX, or send a text through a carrier, and say what came of it',
      answer: testAnswer,
      refuses: refusesOne,
      waitsElsewhere: true,
      params: { fields: fieldsParam.default({}) },
      async run({ by, params: { kind, id, fields } }) {
        const { isWell, tookMs, detail } = await testFarEnd(kernel, keeperOf(kind), { id, fields }, actorOf(by));
        return { is_well: isWell, took_ms: tookMs, detail };
      },
    }),
    del('/far-ends/:kind/:id', {
      summary: 'Disconnect a PBX without extensions, or a carrier account without numbers',
      answer: NOTHING,
      refuses: refusesOne,
      async run({ by, params: { kind, id } }) {
        await disconnect(kernel, keeperOf(kind), id, actorOf(by));
        return {};
      },
    }),
  ];
}
