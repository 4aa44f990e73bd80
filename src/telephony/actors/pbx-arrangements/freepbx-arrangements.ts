/**
 * Ring groups and numbers from outside on a FreePBX. It cannot store which operation wrote one, so what is there is
 * recognised by its content, and what was there before is never replaced by an order for a new one.
 */
import { nameOf, type Arrangement, type ArrangementData, type MadeKind } from '../../model/arrangements/arrangement';
import type { HeldArrangement, PbxArrangements } from './arrangements';
import { freePbxInboundRoutes } from './freepbx-inbound-routes';
import { freePbxRingGroups } from './freepbx-ring-groups';
import { NotThere, type CallContext } from '../pbx-instance/driver';
import { says, type FreePbxApi } from '../pbx-instance/freepbx/freepbx-api';
import { untilDeadline } from '../pbx-instance/pbx-http';

type Found = Pick<HeldArrangement, 'number' | 'content'>;

/** One of the kinds, as its own module of FreePBX has it. */
export interface FreePbxKind<Kind extends MadeKind> {
  contentOf(data: ArrangementData[Kind]): string;
  put(wanted: Pick<Arrangement<Kind>, 'number' | 'data'>, isThere: boolean, context: CallContext): Promise<void>;
  remove(number: number, context: CallContext): Promise<void>;
  get(number: number, context: CallContext): Promise<Found | undefined>;
  list(context: CallContext, known: readonly number[]): Promise<Found[]>;
}

const LACKS = {
  'ring-group': 'members: the API of this PBX has no ring groups: install the module Ring Groups',
  number: 'number: the API of this PBX has no inbound routes, or its application may not use them',
} as const;

export function freePbxArrangements(
  api: FreePbxApi,
  extensions: (context: CallContext) => Promise<readonly number[]>,
): PbxArrangements {
  const kinds = { 'ring-group': freePbxRingGroups(api, extensions), number: freePbxInboundRoutes(api) };
  const at = (kind: MadeKind): FreePbxKind<MadeKind> => kinds[kind] as FreePbxKind<MadeKind>;

  async function get(kind: MadeKind, number: number, context: CallContext): Promise<HeldArrangement | undefined> {
    const found = await at(kind).get(number, context).catch(noneIfUnsupported);
    return found && { kind, ...found };
  }

  async function ensureSupported(kind: MadeKind, context: CallContext): Promise<void> {
    await at(kind)
      .list(context, [])
      .catch((error: unknown) => {
        throw says(error, 'unsupported') ? new NotThere(LACKS[kind]) : error;
      });
  }

  return {
    contentOf: ({ kind, data }) => at(kind).contentOf(data),
    async put(wanted, context) {
      const step = untilDeadline(context);
      const { kind, number } = wanted;
      const held = await get(kind, number, step());
      if (!held) await ensureSupported(kind, step());
      if (held?.content === this.contentOf(wanted)) return;
      if (held && wanted.isNew) throw new NotThere(`number: the PBX has another ${nameOf(kind, number)} already`);
      await at(kind).put(wanted, held !== undefined, step());
    },
    async remove(kind, number, context) {
      const step = untilDeadline(context);
      if (await get(kind, number, step())) await at(kind).remove(number, step());
    },
    get,
    async list(context, known) {
      const numbersOf = (kind: MadeKind) => known.filter((each) => each.kind === kind).map(({ number }) => number);
      const lists: HeldArrangement[][] = [];
      for (const kind of ['ring-group', 'number'] as const) {
        const found = await at(kind).list(context, numbersOf(kind)).catch(noneIfUnsupported);
        lists.push((found ?? []).map((each) => ({ kind, ...each })));
      }
      return lists.flat();
    },
  };
}

/** A FreePBX without the module has none. */
function noneIfUnsupported(error: unknown): undefined {
  if (!says(error, 'unsupported')) throw error;
}
