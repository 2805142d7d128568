export { type CreateAppOptions, createApp, type TemplateName, templates } from './create-app.ts'
export { CreateError } from './create-error.ts'
