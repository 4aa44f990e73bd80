/** Portal routes of text templates, which all users of a company share. */
import { routesFor } from '../../../kernel/http/route';
import { forgetTemplate, keepTemplate } from '../../commands/portal/change-templates';
import { doneAnswer, textTemplate, textTemplates } from '../../model/answers/portal';
import type { Caller } from '../../model/contacts/contact';
import * as field from '../../model/fields';
import { noTemplate, templateKnown, tooManyTemplates } from '../../model/portal/portal-faults';
import { listTemplates } from '../../queries/portal/lists';
import { done } from './wire-format';

const { get, post, del } = routesFor<Caller>();

/** The longest text that can be sent. */
const MAX_LENGTH = 1600;

export const templateRoutes = [
  get('/text-templates', {
    summary: "List your company's text templates, newest first",
    answer: textTemplates,
    run: ({ kernel, by }) => listTemplates(kernel.mysql, by),
  }),
  post('/text-templates', {
    summary: 'Save a text as a template for your company',
    answer: textTemplate,
    refuses: [templateKnown(), tooManyTemplates()],
    status: 201,
    params: { text: field.name(MAX_LENGTH) },
    run: ({ kernel, by, params }) => keepTemplate(kernel.transaction, by, params.text),
  }),
  del('/text-templates/:template_id', {
    summary: 'Delete a text template',
    answer: doneAnswer,
    refuses: [noTemplate()],
    run: ({ kernel, by, params }) => done(forgetTemplate(kernel.transaction, by, params.template_id)),
  }),
];
