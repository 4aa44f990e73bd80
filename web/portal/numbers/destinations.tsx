/** Where calls may go on a PBX: extensions, their mailboxes, ring groups, busy and hanging up. */
import { Select } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import type { Extension } from '../wire';
import type { Destination, RingGroup } from './wire';

/** Companies with more choose by search, and the rest by the API. */
const MOST = 1000;

export const writeDestination = (destination: Destination | null): string =>
  destination ? `${destination.type}:${destination.number ?? ''}` : '';

export function readDestination(value: string): Destination | null {
  if (value === '') return null;
  const [type, number = ''] = value.split(':') as [Destination['type'], string?];
  return { type, number: number === '' ? null : Number(number) };
}

export interface Choices {
  readonly extensions: readonly Extension[];
  readonly groups: readonly RingGroup[];
}

export const useChoices = (uuid: string) =>
  useLoaded(`choices ${uuid}`, async (): Promise<Choices> => {
    const [extensions, groups] = await Promise.all([
      api.list<Extension>(`/instances/${uuid}/extensions`, { page_size: MOST }),
      api.list<RingGroup>(`/instances/${uuid}/ring-groups`, { page_size: MOST }),
    ]);
    return { extensions: extensions.items, groups: groups.items };
  });

/** The name of a destination for people. */
export function destinationText(destination: Destination | null, choices: Choices | undefined): string {
  if (!destination) return t('portal.nowhere');
  const { type, number } = destination;
  const name =
    type === 'ring_group'
      ? choices?.groups.find((each) => each.number === number)?.name
      : choices?.extensions.find(({ data }) => data.id === number)?.data.name;
  const words = t(`portal.destination.${type}`, { number: number ?? '' });
  return name === undefined ? words : `${words} · ${name}`;
}

interface DestinationSelectProps {
  readonly label: string;
  readonly choices: Choices | undefined;
  /** The number of a ring group that cannot lead to itself. */
  readonly except?: number | undefined;
  readonly isClearable?: boolean;
  readonly name: string;
  readonly value: string | null;
  readonly error: string | undefined;
  readonly onChange: (value: string | null) => void;
}

export function DestinationSelect({ label, choices, except, isClearable = false, ...input }: DestinationSelectProps) {
  const option = (destination: Destination) => ({
    value: writeDestination(destination),
    label: destinationText(destination, choices),
  });
  const extensions = choices?.extensions ?? [];
  const groups = (choices?.groups ?? []).filter(({ number }) => number !== except);
  return (
    <Select
      label={label}
      data={[
        ...extensions.map(({ data }) => option({ type: 'extension', number: data.id })),
        ...groups.map(({ number }) => option({ type: 'ring_group', number })),
        ...extensions
          .filter(({ data }) => data.voicemail === 'default')
          .map(({ data }) => option({ type: 'voicemail', number: data.id })),
        option({ type: 'busy', number: null }),
        option({ type: 'hangup', number: null }),
      ]}
      searchable
      clearable={isClearable}
      allowDeselect={isClearable}
      {...input}
    />
  );
}
