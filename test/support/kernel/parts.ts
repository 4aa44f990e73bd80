/** The parts of products on a kernel without an open product, for tests that call commands and queries directly. */
import { loadConfig, type Config } from '../../../config';
import { openChat, type Chat } from '../../../src/chat/parts';
import type { Kernel } from '../../../src/kernel/kernel';
import type { Node } from '../../../src/node';
import { publicUrlOf } from '../../../src/products';
import { openTelephony, type Telephony } from '../../../src/telephony/parts';

const chats = new WeakMap<Kernel, Chat>();

export function chatOf(kernel: Kernel): Chat {
  const known = chats.get(kernel);
  if (known) return known;
  const chat = openChat(kernel, { ...loadConfig({ NODE_ENV: 'test' }), publicUrl: 'http://127.0.0.1' });
  chats.set(kernel, chat);
  return chat;
}

/** The chat that a node has opened for itself. */
export const chatIn = (node: Node): Chat => node.open.find(({ product }) => product.name === 'chat')!.parts as Chat;

/** The telephony that a node or a worker has opened for itself. */
export const telephonyIn = ({ open }: Pick<Node, 'open'>): Telephony =>
  open.find(({ product }) => product.name === 'telephony')!.parts as Telephony;

export const telephonyOf = (kernel: Kernel, config: Config): Telephony =>
  openTelephony(kernel, { ...config, publicUrl: publicUrlOf(config) });
