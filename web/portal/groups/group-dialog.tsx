/** Adds or changes a ring group. If the PBX refuses, the form keeps its values. */
import { Button, Select, TagsInput, TextInput } from '@mantine/core';
import { FormError } from '../../shared/forms/section';
import { useForm, type Form } from '../../shared/forms/use-form';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import { api, PBX_DEADLINE_MS } from '../http/api';
import { DestinationSelect, readDestination, writeDestination, type Choices } from '../numbers/destinations';
import type { RingGroup } from '../numbers/wire';
import classes from '../../shared/forms/form.module.css';

interface GroupDialogProps {
  readonly path: string;
  readonly group: RingGroup | undefined;
  readonly choices: Choices | undefined;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

const USUAL_RING_TIME = '20';

const NEW_GROUP = { number: '', name: '', members: [], strategy: 'ringall', prefix: '', no_answer: null } as const;

function valuesOf(group: RingGroup | undefined) {
  const { number, name, members, strategy, prefix, no_answer: next } = group ?? NEW_GROUP;
  return {
    number: String(number),
    name,
    /** With commas in between. */
    members: members.join(','),
    strategy: strategy as string,
    ring_time: group ? String(group.ring_time) : USUAL_RING_TIME,
    prefix,
    no_answer: writeDestination(next),
  };
}
type Values = ReturnType<typeof valuesOf>;

const listOf = (members: string): string[] => (members === '' ? [] : members.split(','));

function bodyOf({ number, members, ring_time: time, no_answer: next, ...values }: Values, isNew: boolean): object {
  return {
    ...values,
    ...(isNew ? { number } : {}),
    members: listOf(members),
    ring_time: Number(time),
    no_answer: readDestination(next),
  };
}

export function GroupDialog({ path, group, choices, onSaved, onClose }: GroupDialogProps) {
  const form = useForm(valuesOf(group));
  const save = form.submit(async (values) => {
    const body = bodyOf(values, !group);
    if (group) await api.patch(`${path}/${group.id}`, body, PBX_DEADLINE_MS);
    else await api.post(path, body, PBX_DEADLINE_MS);
    toast(t('settings.saved'));
    await onSaved();
  });
  return (
    <Dialog opened onClose={onClose} title={group ? t('portal.editGroup', { name: group.name }) : t('portal.addGroup')}>
      <form className={classes.form} onSubmit={save} noValidate>
        {!group && (
          <TextInput label={t('portal.number')} inputMode="numeric" data-autofocus {...form.input('number')} />
        )}
        <TextInput label={t('portal.name')} {...form.input('name')} />
        <Members form={form} choices={choices} />
        <div className={classes.pair}>
          <Select
            label={t('portal.strategy')}
            data={(['ringall', 'hunt'] as const).map((value) => ({ value, label: t(`portal.rings.${value}`) }))}
            allowDeselect={false}
            {...form.choice('strategy')}
          />
          <TextInput label={t('portal.ringTime')} inputMode="numeric" {...form.input('ring_time')} />
        </div>
        <TextInput label={t('portal.prefix')} description={t('portal.prefixHint')} {...form.input('prefix')} />
        <DestinationSelect
          label={t('portal.noAnswer')}
          choices={choices}
          except={group?.number}
          isClearable
          {...form.choice('no_answer')}
        />
        <FormError text={form.error} />
        <div className={classes.actions}>
          <Button type="submit" loading={form.isBusy}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Extensions are suggested; numbers outside are typed. */
function Members({ form, choices }: { form: Form<Values>; choices: Choices | undefined }) {
  const names = new Map(choices?.extensions.map(({ data }) => [String(data.id), data.name]));
  return (
    <TagsInput
      label={t('portal.members')}
      description={t('portal.membersHint')}
      data={[...names.keys()]}
      renderOption={({ option }) => `${option.value} · ${names.get(option.value) ?? ''}`}
      value={listOf(form.values.members)}
      error={form.choice('members').error}
      onChange={(members) => form.set('members', members.map((each) => each.trim()).join(','))}
    />
  );
}
