/** Events about an organisation and its settings. */
import type { Delivery } from '../../../kernel/mysql/outbox';
import { eventDelivery } from '../events/event';
import { realmPictureFields, type PicturedRealm, type RealmPictureKind } from '../uploads/realm-picture';
import type { RealmId } from './realm';

/** All access ends with this event. Waiting polls are answered with it. */
export const realmDeactivated = (realmId: RealmId): Delivery =>
  eventDelivery(realmId, 'everyone', { type: 'realm', op: 'deactivated', realm_id: realmId });

/** Settings that clients get together, whichever of them changed. */
const TOGETHER: readonly (readonly string[])[] = [
  ['allow_message_editing', 'message_content_edit_limit_seconds', 'allow_community_topic_editing'],
  ['allow_message_deleting', 'message_content_delete_limit_seconds'],
];

/** One event per changed setting, or per group with a changed setting. */
export function realmChanges(realmId: RealmId, values: object, changed: readonly string[]): Delivery[] {
  const valueOf = (name: string) => (values as Record<string, unknown>)[name];
  const groups = TOGETHER.filter((group) => group.some((name) => changed.includes(name)));
  const alone = changed.filter((name) => !TOGETHER.flat().includes(name));
  return [
    ...alone.map((name) =>
      eventDelivery(realmId, 'everyone', { type: 'realm', op: 'update', property: name, value: valueOf(name) }),
    ),
    ...groups.map((group) =>
      eventDelivery(realmId, 'everyone', {
        type: 'realm',
        op: 'update_dict',
        property: 'default',
        data: Object.fromEntries(group.map((name) => [name, valueOf(name)])),
      }),
    ),
  ];
}

export const realmPictureChanged = (realm: PicturedRealm, kind: RealmPictureKind): Delivery =>
  eventDelivery(realm.id, 'everyone', {
    type: 'realm',
    op: 'update_dict',
    property: kind,
    data: realmPictureFields(realm, kind),
  });
