/** Bulk import of extensions from a file: map columns, try every line, order, and follow the order to its end. */
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { DataTable } from '../../shared/tables/table';
import { t, useLanguage } from '../../shared/texts/texts';
import { FormError, Section } from '../../shared/forms/section';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import type { Instance } from '../wire';
import { BulkProgress } from './bulk-progress';
import { ChooseFile } from './choose-file';
import { readCsv, type Line } from './csv';
import { MapColumns } from './map-columns';

interface BulkLine {
  readonly id: string;
  readonly state: 'running' | 'finished';
  readonly total: number;
  readonly created: string;
}

export function Bulk() {
  const [location] = useLocation();
  const [, , id = ''] = location.split('/');
  return id === '' ? <Begin /> : <BulkProgress key={id} id={id} />;
}

function Begin() {
  const [, go] = useLocation();
  const [lines, setLines] = useState<readonly Line[]>();
  const instances = useLoaded('instances', () => api.list<Instance>('/instances'));
  const [instance] = instances.value?.items ?? [];
  if (!instance) return instances.value ? <p>{t('portal.noInstance')}</p> : <FormError text={instances.error} />;
  return (
    <>
      <Section hint={t('portal.bulkHint')}>
        <ChooseFile onText={(text) => setLines(readCsv(text))} />
      </Section>
      {lines && (
        <MapColumns
          key={lines.map(({ cells }) => cells.join()).join('\n')}
          instances={instances.value!.items}
          lines={lines}
          onOrdered={(id) => go(`/bulk/${id}`)}
        />
      )}
      <LastOrders />
    </>
  );
}

function LastOrders() {
  const orders = useLoaded('orders', () => api.list<BulkLine>('/portal/api/bulks'));
  if (orders.value?.items.length === 0) return null;
  return (
    <Section title={t('portal.lastOrders')}>
      <FormError text={orders.error} />
      <DataTable label={t('portal.lastOrders')} heads={[t('portal.when'), t('portal.lines'), t('portal.orderState')]}>
        {orders.value?.items.map(({ id, state, total, created }) => (
          <tr key={id}>
            <td>
              <Link href={`/bulk/${id}`}>{new Date(created).toLocaleString(useLanguage.getState().locale)}</Link>
            </td>
            <td>{total}</td>
            <td>{t(`portal.order.${state}`)}</td>
          </tr>
        ))}
      </DataTable>
    </Section>
  );
}
