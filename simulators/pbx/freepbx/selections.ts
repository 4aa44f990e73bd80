// What the queries of a simulated FreePBX show, whole: the caller's selection is taken out of it.
import type { JsonObject } from '../store';
import type { Extensions } from './extensions';
import type { Field } from './graphql-reader';
import type { Reloads } from './reloads';

export function show(own: { extensions: Extensions; reloads: Reloads }, { name, args }: Field): JsonObject {
  switch (name) {
    case 'fetchExtension': {
      const found = own.extensions.get(String(args['extensionId']));
      if (!found) return { status: false, message: 'Extension does not exists' };
      return { status: true, message: 'Extension found successfully', ...shown(found) };
    }
    case 'fetchAllExtensions':
      return page(own.extensions.list(), args);
    case 'fetchApiStatus': {
      const state = own.reloads.state(String(args['txnId']));
      if (state === undefined) return { status: false, message: 'Transaction does not exist' };
      return { status: true, message: state };
    }
    case 'system':
      return {
        version: '17.0.18.4',
        engine: 'asterisk',
        needReload: own.reloads.isNeeded(),
        status: true,
        message: '',
      };
    default:
      return { status: false, message: `Cannot query field "${name}" on type "Query".` };
  }
}

/** A Relay connection over an array: cursors are places in it. */
function page(all: JsonObject[], args: Record<string, unknown>): JsonObject {
  const first = typeof args['first'] === 'number' ? args['first'] : all.length;
  const after = typeof args['after'] === 'string' ? Buffer.from(args['after'], 'base64').toString() : '';
  const begin = Number(/^arrayconnection:(\d+)$/.exec(after)?.[1] ?? -1) + 1;
  const extension = all.slice(begin, begin + first).map(shown);
  const message = "Extension's found successfully";
  return { status: true, message, totalCount: all.length, count: extension.length, extension };
}

function shown(held: JsonObject): JsonObject {
  const number = String(held['number']);
  return {
    id: Buffer.from(`extension:${number}`).toString('base64'),
    extensionId: number,
    tech: held['tech'] ?? 'pjsip',
    user: {
      name: held['name'],
      extension: number,
      password: '',
      outboundCid: held['outboundcid'] ?? '',
      extPassword: held['secret'],
      voicemail: held['voicemail'] ?? 'default',
      ringtimer: held['ringtimer'] ?? 0,
      noanswer: '',
      recording: '',
      sipname: '',
      mohclass: 'default',
    },
    coreDevice: {
      deviceId: number,
      dial: `PJSIP/${number}`,
      devicetype: 'fixed',
      description: held['name'],
      emergencyCid: held['emergency_cid'] ?? '',
    },
  };
}
