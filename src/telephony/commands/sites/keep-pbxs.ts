/** How operators connect PBXs of companies. */
import { ensure, Fault } from '../../../kernel/fault';
import { noteFarEnd } from '../../../kernel/far-ends/far-end-notes';
import {
  field,
  type FarEndKeeper,
  type FarEndType,
  type FieldValues,
  type KeptFarEnd,
  type KeeperParts,
} from '../../../kernel/far-ends/keeper';
import { PbxDrivers } from '../../actors/pbx-instance/drivers';
import { companyIdOf, companyTenant } from '../../model/companies/company';
import { BACKEND_CREDENTIALS, BACKENDS, type Backend } from '../../model/sites/backends';
import type { Instance } from '../../model/sites/site';
import { findInstance } from '../../queries/sites/sites';
import { addInstance, changeInstance, removeInstance } from './change-instances';

interface Settings {
  readonly nodeEnv: string;
  readonly pbxCallMs: number;
}

/** Where each field of the form is stored among the details of an instance. */
const DETAILS = { domain: 'external_domain', rpc: 'rpc', codecs: 'codecs' } as const;

const credentials = (backend: Backend) => field('credentials', 'secret', BACKEND_CREDENTIALS[backend] !== undefined);
const ADDRESS = field('address', 'address', true);
const DOMAIN = field('domain', 'text');

const FIELDS: Readonly<Record<Backend, FarEndType['fields']>> = {
  freepbx: [ADDRESS, credentials('freepbx'), DOMAIN],
  'asterisk-ari': [ADDRESS, credentials('asterisk-ari'), field('ami', 'secret'), DOMAIN, field('codecs', 'text')],
  kamailio: [ADDRESS, field('domain', 'text', true), credentials('kamailio'), field('rpc', 'address')],
  simulated: [ADDRESS],
};
const LOCATION = field('location', 'text');

export const pbxTypes = (nodeEnv: string): FarEndType[] =>
  BACKENDS.filter((backend) => backend !== 'simulated' || nodeEnv !== 'production')
    // The makes that companies have come first.
    .toReversed()
    .map((type) => ({ type, fields: [...FIELDS[type], LOCATION] }));

export function pbxKeeper({ nodeEnv, pbxCallMs }: Settings): FarEndKeeper {
  let drivers: PbxDrivers | undefined;
  return {
    kind: 'pbx',
    types: pbxTypes(nodeEnv),
    testFields: [],
    async get({ mysql }, id) {
      const found = await findInstance(mysql, id);
      return found && keptOf(found);
    },
    async add(kernel, { tenant, type, fields }) {
      const companyId = companyIdOf(tenant);
      ensure(companyId !== undefined, new Fault('invalid', 'tenant: must be a company'));
      const { address = '', location } = fields;
      const backend = type as Backend;
      const draft = { companyId, backend, address, location: given(location), details: detailsOf(fields) };
      const sealed = { credentials: given(fields['credentials']), ami: given(fields['ami']) };
      const { uuid } = await addInstance(kernel, { ...draft, ...sealed });
      return { id: uuid, shown: {} };
    },
    async change(kernel, id, fields) {
      const { address = '' } = fields;
      const sealed = { credentials: given(fields['credentials']), ami: given(fields['ami']) };
      const { fields: before } = keptOf(await existing(kernel, id));
      const isOther = (name: string): boolean => name in fields && fields[name] !== (before[name] ?? '');
      const details = Object.fromEntries(
        Object.entries(DETAILS).flatMap(([name, stored]) => (isOther(name) ? [[stored, fields[name]!]] : [])),
      );
      await changeInstance(kernel, id, { address, details, ...sealed });
      return {};
    },
    async test(kernel, id) {
      const instance = await existing(kernel, id);
      drivers ??= new PbxDrivers(kernel);
      const health = await drivers.of(instance).health({ key: 'test', deadlineMs: pbxCallMs });
      const ending = health.isWell ? { wasFailing: true } : { error: health.detail };
      await noteFarEnd(kernel, { kind: 'pbx', id: instance.uuid }, ending);
      return health;
    },
    remove: (kernel, id) => removeInstance(kernel.transaction, id),
  };
}

async function existing({ mysql }: KeeperParts, id: string): Promise<Instance> {
  const found = await findInstance(mysql, id);
  if (!found) throw new Fault('missing', `There is no instance ${id}`);
  return found;
}

const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

const detailsOf = (fields: FieldValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(DETAILS).flatMap(([name, stored]) => {
      const value = given(fields[name]);
      return value === undefined ? [] : [[stored, value]];
    }),
  );

const keptOf = ({ uuid, companyId, backend, address, details }: Instance): KeptFarEnd => ({
  id: uuid,
  tenant: companyTenant(companyId),
  type: backend,
  fields: {
    address,
    ...Object.fromEntries(
      Object.entries(DETAILS)
        .filter(([name]) => FIELDS[backend].some((each) => each.name === name))
        .map(([name, stored]) => [name, details[stored] ?? '']),
    ),
  },
});
