/** One page of extensions. */
import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { messageOf } from '../../shared/http/message-of';
import { refusalText } from '../../shared/texts/refusals';
import { Actions, Badge, DataTable } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { CallButton } from '../calls/call-button';
import { api, PBX_DEADLINE_MS } from '../http/api';
import { useSignedIn } from '../session/session';
import { nameOf, type Extension } from '../wire';
import { ConfirmLoss } from './confirm-loss';
import { lossIn, wouldDiscard } from './discard-voicemail';
import type { Standing } from './use-standings';
import table from '../../shared/tables/table.module.css';

interface ExtensionTableProps {
  readonly extensions: readonly Extension[];
  readonly isLoading: boolean;
  readonly standings: ReadonlyMap<number, Standing>;
  readonly isByUser: boolean;
  readonly onSort: (byUser: boolean) => void;
  readonly onOpen: (kind: 'credentials' | 'delete' | 'edit' | 'forwards', extension: Extension) => void;
  /** Whether the PBX has forwards. */
  readonly hasForwards: boolean;
  readonly onRetried: () => Promise<void>;
}

export function ExtensionTable(props: ExtensionTableProps) {
  const { extensions, isLoading, standings, isByUser, onSort } = props;
  return (
    <DataTable
      label={t('portal.extensions')}
      heads={[
        { text: t('portal.number'), isSorted: !isByUser, sort: () => onSort(false) },
        t('portal.name'),
        { text: t('portal.person'), isSorted: isByUser, sort: () => onSort(true) },
        t('portal.phoneKind'),
        t('portal.standing'),
        t('portal.actions'),
      ]}
      isLoading={isLoading}
    >
      {extensions.map((extension) => (
        <Row
          key={extension._id}
          extension={extension}
          standing={standings.get(extension.data.id)}
          onOpen={props.onOpen}
          hasForwards={props.hasForwards}
          onRetried={props.onRetried}
        />
      ))}
    </DataTable>
  );
}

interface RowProps extends Pick<ExtensionTableProps, 'hasForwards' | 'onOpen' | 'onRetried'> {
  readonly extension: Extension;
  readonly standing: Standing | undefined;
}

function Row(props: RowProps) {
  const { extension, standing } = props;
  const { data, user, purpose } = extension;
  return (
    <tr>
      <td>
        {data.id}
        <CallButton number={data.id} />
      </td>
      <td>
        {data.name}
        <small>{data.description}</small>
      </td>
      <td>{user ? nameOf(user) : t('portal.nobody')}</td>
      <td>{t(`portal.purpose.${purpose}`)}</td>
      <td className={table.words}>
        <State extension={extension} standing={standing} />
      </td>
      <td>
        <RowActions {...props} />
      </td>
    </tr>
  );
}

interface Rights {
  readonly maySee: boolean;
  readonly mayEdit: boolean;
  readonly mayDelete: boolean;
}

function useRights({ user }: Extension): Rights {
  const { is_owner: isOwner, contact_id: ownId } = useSignedIn();
  const isOwn = isOwner || user?.id === ownId;
  return { maySee: isOwn, mayDelete: isOwn, mayEdit: isOwn || user === null };
}

function RowActions({ extension, standing, hasForwards, onOpen, onRetried }: RowProps) {
  const { maySee, mayEdit, mayDelete } = useRights(extension);
  const reasonId = useId();
  return (
    <>
      <Actions>
        {standing && TONES[standing.state] === 'bad' && mayEdit && (
          <Retry extension={extension} onRetried={onRetried} />
        )}
        {maySee && (
          <Button size="compact-sm" variant="default" onClick={() => onOpen('credentials', extension)}>
            {t('portal.credentials')}
          </Button>
        )}
        {hasForwards && mayEdit && (
          <Button size="compact-sm" variant="default" onClick={() => onOpen('forwards', extension)}>
            {t('portal.forwards')}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          disabled={!mayEdit}
          aria-describedby={mayEdit ? undefined : reasonId}
          onClick={() => onOpen('edit', extension)}
        >
          {t('portal.edit')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={!mayDelete}
          aria-describedby={mayDelete ? undefined : reasonId}
          onClick={() => onOpen('delete', extension)}
        >
          {t('portal.delete')}
        </Button>
      </Actions>
      {!mayDelete && (
        <small id={reasonId} className={table.reason}>
          {mayEdit ? t('portal.nobodysExtension') : t('portal.othersExtension')}
        </small>
      )}
    </>
  );
}

const TONES = { ready: 'good', waiting: '', failed: 'bad', stuck: 'bad', drifted: 'bad' } as const;

function State({ extension, standing }: Pick<RowProps, 'extension' | 'standing'>) {
  if (!standing) return null;
  return (
    <>
      <Badge tone={TONES[standing.state]}>{t(`portal.standing.${standing.state}`)}</Badge>
      {standing.order !== null && <small>{t(`portal.failedOrder.${standing.order}`)}</small>}
      {standing.detail !== '' && <small>{refusalText(standing.detail)}</small>}
      {standing.state === 'ready' && <small>{t(`portal.phone.${extension.subscriber.state}`)}</small>}
    </>
  );
}

/** Orders again what failed, or pushes what is stored, which repairs what differs on the PBX. */
function Retry({ extension, onRetried }: { extension: Extension; onRetried: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const [loss, setLoss] = useState<string>();
  const path = `/portal/api/instances/${extension.pbx}/extensions/${extension._id}/retry`;
  const push = async (isConfirmed: boolean): Promise<void> => {
    await api.post(path, isConfirmed ? { discard_voicemail: true } : {}, PBX_DEADLINE_MS);
  };
  const retry = async (): Promise<void> => {
    setBusy(true);
    try {
      await push(false);
    } catch (error) {
      if (wouldDiscard(error)) setLoss(lossIn(error));
      else toast(messageOf(error), true);
    }
    await onRetried().catch(() => undefined);
    setBusy(false);
  };
  return (
    <>
      <Button size="compact-sm" loading={isBusy} onClick={() => void retry()}>
        {t('portal.retry')}
      </Button>
      {loss !== undefined && (
        <ConfirmLoss
          number={extension.data.id}
          loss={loss}
          onClose={() => setLoss(undefined)}
          onConfirm={async () => {
            await push(true);
            await onRetried();
          }}
        />
      )}
    </>
  );
}
