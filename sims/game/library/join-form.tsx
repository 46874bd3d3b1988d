import { useState } from 'preact/hooks'
import type { Game } from '../game.ts'
import { t } from '../texts/texts.ts'

/** For whoever was given a code and no link. */
export function JoinForm({ game }: { game: Game }) {
  const [isMissing, setIsMissing] = useState(false)
  return (
    <section class="join-form" aria-labelledby="join">
      <h2 id="join">{t.shell.joinTitle}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const given = new FormData(event.currentTarget).get('code')
          const code = typeof given === 'string' ? given.trim() : ''
          setIsMissing(code === '')
          if (code !== '') game.go({ screen: 'join', code: encodeURIComponent(code) })
        }}
      >
        <p class="field">
          <label for="code">{t.shell.joinLabel}</label>
          <input
            id="code"
            name="code"
            maxLength={64}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            dir="ltr"
            aria-invalid={isMissing}
            aria-describedby="code-says"
          />
        </p>
        <button class="button" type="submit">
          {t.shell.joinGo}
        </button>
        <p id="code-says" class="trouble" role="alert">
          {isMissing && t.shell.joinNone}
        </p>
      </form>
    </section>
  )
}
