/** A table of tenants with their actions. */
import { Link } from 'wouter';
import { t } from '../../shared/texts/texts';
import { ops } from '../data/api';
import { agoOf, bytesOf, numberOf } from '../data/amounts';
import { Action, ActionTable, RowActions, State } from '../shell/parts';
import { hasOwner, InviteButton } from './invite-button';
import { LimitsButton } from './limits-button';
import { pathOf, wordFor, type TenantRow } from './wire';
import table from '../../shared/tables/table.module.css';

export function TenantTable({ tenants, after }: { tenants: readonly TenantRow[]; after: () => void }) {
  const heads = [
    t('ops.name'),
    t('tenant.kind'),
    t('ops.state'),
    t('tenant.size'),
    t('tenant.lastActive'),
    t('tenant.limits'),
  ];
  return (
    <ActionTable label={t('tenant.title')} heads={heads}>
      {tenants.map((tenant) => (
        <Row key={tenant.tenant} tenant={tenant} after={after} />
      ))}
    </ActionTable>
  );
}

const sizeOf = (name: string, size: number): string => (name.endsWith('_bytes') ? bytesOf(size) : numberOf(size));

const maxOf = (most: number | null): string => (most === null ? t('tenant.unlimited') : numberOf(most));

function Row({ tenant, after }: { tenant: TenantRow; after: () => void }) {
  const { kind, name, is_active, last_active_at } = tenant;
  const action = is_active ? 'deactivate' : 'reactivate';
  const sizes = Object.entries(tenant.sizes).map(([each, size]) => `${wordFor(each)}: ${sizeOf(each, size)}`);
  const limits = Object.entries(tenant.limits).map(([each, most]) => `${wordFor(each)}: ${maxOf(most)}`);
  return (
    <tr>
      <th scope="row">
        {name}
        <div>
          <Link href={`/work?state=any&tenant=${encodeURIComponent(tenant.tenant)}`}>{tenant.tenant}</Link>
        </div>
      </th>
      <td>
        {wordFor(kind)} {tenant.address}
      </td>
      <td>
        <State state={is_active ? 'ok' : 'fail'}>{t(is_active ? 'tenant.active' : 'tenant.inactive')}</State>
      </td>
      <td className={table.words}>{sizes.join(', ')}</td>
      <td className={table.number}>
        {last_active_at === null ? t('tenant.never') : t('tenant.ago', { time: agoOf(last_active_at) })}
      </td>
      <td>{limits.join(', ')}</td>
      <RowActions>
        <LimitsButton tenant={tenant} after={after} />
        {hasOwner(tenant) && <InviteButton tenant={tenant} />}
        <Action
          label={t(`tenant.${action}`)}
          of={name}
          question={t(is_active ? 'tenant.deactivateQuestion' : 'tenant.reactivateQuestion', { name })}
          run={() => ops.post(`${pathOf(tenant)}/${action}`)}
          done={t('ops.done')}
          after={after}
        />
      </RowActions>
    </tr>
  );
}
