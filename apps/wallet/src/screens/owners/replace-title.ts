import { t } from '../../i18n/t.ts'

/** Names the owner if the person gave it a name. */
export const replaceTitle = (label: string | undefined) =>
  label === undefined ? t('Replace an owner') : t('Replace {owner}', { owner: label })
