/** Bulk import of extensions from a file: map columns, try every line, order, and follow the order to its end. */
import { Select } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { DataTable } from '../../shared/tables/table';
import { t, useLanguage } from '../../shared/texts/texts';
import { FormError, Section } from '../../shared/forms/section';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import type { Instance } from '../wire';
import { BulkProgress } from './bulk-progress';
import { ChooseFile } from './choose-file';
import { readCsv } from './csv';
import { decode, ENCODINGS, guessEncoding, type Encoding } from './decode';
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

interface File {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
}

function Begin() {
  const [, go] = useLocation();
  const [file, setFile] = useState<File>();
  const text = useMemo(() => file && decode(file.bytes, file.encoding), [file]);
  const instances = useLoaded('instances', () => api.list<Instance>('/instances'));
  const [instance] = instances.value?.items ?? [];
  if (!instance) return instances.value ? <p>{t('portal.noInstance')}</p> : <FormError text={instances.error} />;
  return (
    <>
      <Section hint={t('portal.bulkHint')}>
        <ChooseFile onFile={(bytes) => setFile({ bytes, encoding: guessEncoding(bytes) })} />
        {file && (
          <Select
            label={t('portal.encoding')}
            description={t('portal.encodingHint')}
            mt="sm"
            maw={360}
            data={ENCODINGS.map((value) => ({ value, label: t(`portal.encoding.${value}`) }))}
            value={file.encoding}
            allowDeselect={false}
            onChange={(value) => value !== null && setFile({ ...file, encoding: value })}
          />
        )}
      </Section>
      {text !== undefined && (
        <MapColumns
          key={text}
          instances={instances.value!.items}
          lines={readCsv(text)}
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
