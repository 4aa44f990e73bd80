/** Lists a company's text templates, newest first. */
import type { Kernel } from '../../../kernel/kernel';
import type { Caller } from '../../model/contacts/contact';
import type { TextTemplate } from '../../model/portal/text-template';
import * as templates from '../../store/portal/text-templates';

export const listTemplates = ({ mysql }: Kernel, by: Caller): Promise<TextTemplate[]> =>
  templates.list(mysql, by.companyId);
