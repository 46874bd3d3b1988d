import { hrefOf } from '../route.ts'
import { keepLocale, LANGUAGES } from '../texts/locale.ts'
import { locale, t } from '../texts/texts.ts'

/** What is kept, the language, and the ways out of the game. */
export function LibraryFoot() {
  return (
    <footer class="library-foot">
      <p class="small measure">{t.shell.keptNote}</p>
      <nav aria-label={t.shell.language}>
        <ul>
          {LANGUAGES.map((language) => (
            <li key={language.locale}>
              <a
                href={`?lang=${language.locale}`}
                lang={language.locale}
                hreflang={language.locale}
                aria-current={language.locale === locale ? 'true' : undefined}
                onClick={() => keepLocale(language.locale)}
              >
                {language.name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ul>
        <li>
          <a href={hrefOf({ screen: 'teach' })}>{t.shell.forTeachers}</a>
        </li>
        <li>
          <a href="/embed">{t.shell.embedDemo}</a>
        </li>
      </ul>
    </footer>
  )
}
