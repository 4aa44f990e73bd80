/** Adds or changes an extension. If the PBX refuses, the form keeps its values. */
import { Button, Select, TextInput } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { toast } from '../../shared/ui/toasts';
import { FormError } from '../../shared/forms/section';
import { useForm, type Form } from '../../shared/forms/use-form';
import { api, PBX_DEADLINE_MS } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { useSignedIn } from '../session/session';
import { nameOf, type Contact, type Extension, type Location } from '../wire';
import { confirmed, DiscardVoicemail } from './discard-voicemail';
import { bodyOf, NEW, valuesOf, type Values } from './extension-values';
import classes from '../../shared/forms/form.module.css';

interface ExtensionDialogProps {
  readonly path: string;
  readonly extension: Extension | undefined;
  readonly onSaved: (extension: Extension) => Promise<void>;
  readonly onClose: () => void;
}

export function ExtensionDialog({ path, extension, onSaved, onClose }: ExtensionDialogProps) {
  const form = useForm(extension ? valuesOf(extension) : NEW);
  const save = form.submit(async (values) => {
    const body = bodyOf(values, extension);
    const to = extension ? `${path}/${extension._id}` : path;
    const target = values.discard_voicemail === '' ? to : confirmed(to);
    const saved = await (extension ? api.patch : api.post)<Extension>(target, body, PBX_DEADLINE_MS);
    toast(t(extension ? 'settings.saved' : 'portal.extensionAdded', { number: saved.data.id }));
    await onSaved(saved);
  });
  const number = extension?.data.id ?? '';
  return (
    <Dialog
      opened
      onClose={onClose}
      title={extension ? t('portal.editExtension', { number }) : t('portal.addExtension')}
    >
      <form className={classes.form} onSubmit={save} noValidate>
        {!extension && (
          <TextInput label={t('portal.number')} inputMode="numeric" data-autofocus {...form.input('data.id')} />
        )}
        <TextInput label={t('portal.name')} {...form.input('data.name')} />
        <TextInput label={t('portal.description')} {...form.input('data.description')} />
        <TextInput
          label={t('portal.outboundcid')}
          placeholder='"Example Telecom" <15550100001>'
          {...form.input('data.outboundcid')}
        />
        <Choices form={form} />
        <DiscardVoicemail form={form} />
        <FormError text={form.error} />
        <div className={classes.actions}>
          <Button type="submit" loading={form.isBusy}>
            {t(extension ? 'action.save' : 'portal.addExtension')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Companies with more users assign extensions by CSV. */
const MAX_PEOPLE = 1000;

/** User, location and kind of phone. */
function Choices({ form }: { form: Form<Values> }) {
  const { is_owner: isOwner } = useSignedIn();
  const people = useLoaded('people', () =>
    api.list<Contact>('/system/company/contacts', { items_per_page: MAX_PEOPLE }),
  );
  const places = useLoaded('places', () => api.list<Location>('/company/locations'));
  return (
    <>
      <Select
        label={t('portal.person')}
        description={isOwner ? undefined : t('portal.assignOwners')}
        disabled={!isOwner}
        data={(people.value?.items ?? []).map((contact) => ({ value: contact.id, label: nameOf(contact) }))}
        {...form.choice('user.id')}
        clearable
        searchable
      />
      <div className={classes.pair}>
        <Select
          label={t('portal.location')}
          data={(places.value?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          {...form.choice('location_id')}
        />
        <Select
          label={t('portal.phoneKind')}
          data={(['ip-phone', 'mobile-app'] as const).map((value) => ({
            value,
            label: t(`portal.purpose.${value}`),
          }))}
          allowDeselect={false}
          {...form.choice('purpose')}
        />
      </div>
    </>
  );
}
