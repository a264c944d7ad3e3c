import type { MemoryKind } from "../../memory/record.ts";
import { type WordPattern, withWordEdges } from "./word-edges.ts";

/** What a person's sentence can be taken for, and how it begins or what it has. Tried in this order; the first that fits counts. */
export interface StatementMarker {
  readonly kind: Extract<MemoryKind, "preference" | "decision" | "fact">;
  /** `remember`: the person asks for it; what stands after the match is the statement. */
  readonly asks: boolean;
  readonly pattern: WordPattern;
}

/** "Remember that …": the match is taken off. */
const REMEMBER: readonly WordPattern[] = withWordEdges([
  /^((please|pls|plz|also|and|hey|hi|ok(ay)?|so|btw|by the way|one more thing)[,:!]? |i('d| would)? (want|like|need) you to |you (should|must|have to) )*(remember|memori[sz]e|note|keep in mind|don't forget|do not forget|never forget|make a note|(save|store|write|put|add) (this |it |that )?(down )?(to|in|into) (your |the )?(long-term )?memory)( this| that| down)?( for (later|next time|the future))?\s*[:,]?\s+(that )?/iu,
  /^(bitte )?(merk(e)? dir|denk(e)? daran|vergiss nicht|beachte)( bitte)?\s*[:,]?\s*(dass )?/iu,
  /^(s'il te plaît |s'il vous plaît )?(souviens-toi|rappelle-toi|n'oublie pas|retiens|note)\s*(bien )?[:,]?\s*(que |qu'|de )?/iu,
  /^(por favor,? )?(recuerda|recuérdalo|no olvides|ten en cuenta|anota)\s*[:,]?\s*(que )?/iu,
  /^(por favor,? )?(lembre-se|lembra-te|lembre|não esqueça|não se esqueça|anote)( de)?\s*[:,]?\s*(que )?/iu,
  /^(per favore,? )?(ricorda(ti)?|tieni a mente|non dimenticare)( bene)?\s*[:,]?\s*(che )?/iu,
  /^(onthoud|vergeet niet)( alsjeblieft| a\.?u\.?b\.?)?\s*[:,]?\s*(dat )?/iu,
  /^(proszę,? )?(zapamiętaj|pamiętaj|zapisz sobie)\s*[:,]?\s*(że )?/iu,
  /^(пожалуйста,? )?(запомни(те)?|имей(те)? в виду|не забудь(те)?)\s*[:,]?\s*(что )?/iu,
  /^(이것?을? )?(기억해|기억하세요|잊지 ?마)( ?(줘|주세요|두세요))?\s*[:：,]?\s*/u,
  /^(请|請)?(记住|記住|记得|記得|请注意|别忘了|別忘了)[:：,，]?\s*/u,
  /^(.{0,10}を)?(覚えておいて|覚えて|忘れないで)(ください|くださいね|ね)?[:：、,。]?\s*/u,
]);

/** Standing wishes. */
const PREFERENCE: readonly WordPattern[] = withWordEdges([
  /^(please |no,? |actually,? )*(use|stick to|stick with) [^,.;]{2,40},? (not|instead of|rather than|over) [^,.;]{2,40}[.!]?$/iu,
  /^(please |and |but |so |also |no,? |actually,? )*(always|never(?! mind\b)|from now on|in (the )?future|going forward|by default)\b/iu,
  /\b(i|we) (always |really |strongly |usually |generally |would |'d )?(prefer|like it (better|when)|hate|dislike|don't like|do not like|don't want|do not want|never want)\b/iu,
  /^(please )?(don't|do not) ever\b|\b(should|must) (always|never)\b/iu,
  /^(bitte )?(immer|nie(mals)?|ab (jetzt|sofort)|künftig|in zukunft|grundsätzlich)\b/iu,
  /\b(ich|wir) (bevorzuge[n]?|mag|mögen|will|wollen) (immer |lieber |nie |keine?n? )/iu,
  /\b(ich|wir) bevorzugen?\b|\b(soll(st|en)?|muss|müssen) (immer|nie(mals)?)\b|\bverwende (immer|nie(mals)?)\b/iu,
  /^(s'il te plaît,? )?(toujours|jamais|ne .{1,20} jamais|désormais|dorénavant|à partir de maintenant|par défaut)\b/iu,
  /\b(je|nous) (préfère|préférons|n'aime pas|n'aimons pas|déteste)\b|\butilise toujours\b/iu,
  /^(por favor,? )?(siempre|nunca|a partir de ahora|de ahora en adelante|por defecto)\b|\b(usa|utiliza) siempre\b/iu,
  /\b(prefiero|preferimos|no me gusta|odio)\b/iu,
  /^(por favor,? )?(sempre|nunca|a partir de agora|de agora em diante|por padrão)\b|\b(use|usa) sempre\b/iu,
  /\b(prefiro|preferimos|não gosto)\b/iu,
  /^(请|請)?(总是|總是|始终|永远不要|绝不|以后|今后|从现在起)|(我|我们)(更?喜欢|偏好|不喜欢|不想要)/u,
  /(いつも|常に|決して|今後は|これからは).{2,}|(の)?ほうが(好き|いい)です|(を|が)好みます/u,
]);

/** What was settled. */
const DECISION: readonly WordPattern[] = withWordEdges([
  /\b(we|i)('ve| have)? (decided|agreed|settled|chose|chosen|picked|opted)\b|\bthe decision is\b|^(decision|decided)\s*:/iu,
  /\b(we|i)('ve| have)? (now |just )?(moved|switched|migrated|changed) (over )?(from .{1,40} )?to\b/iu,
  /\b(we|i)('re| are|'ll| will)? (now |no longer |not )?(use|uses|using) .{1,60}\b(instead( of)?|now|from now on|not|rather than|for)\b/iu,
  /^(so |and |but |no,? |nope,? |actually,? |well,? )*(we|this (project|repo|repository|team)|our (team|project|repo)) (now |no longer |always |only |still )?uses?\b/iu,
  /\b(we|i) no longer\b|\b(we|i) (don't|do not) use .{1,40}? (any ?more|any longer)\b|\b(we|i)('re| are) on .{2,40} now\b|^from (today|tomorrow)( on)?\b|^ab (heute|morgen)\b|\b(we|i) (dropped|replaced|removed support for|stopped using)\b/iu,
  /\bwir haben (uns |.{1,30} )?(entschieden|beschlossen|vereinbart|gewechselt|umgestellt)\b|\bwir (nutzen|verwenden|benutzen|nehmen)\b|\bwir sind (jetzt |nun )?(auf|zu) .{1,40} (umgestiegen|gewechselt)/iu,
  /\b(nous avons|on a) (décidé|choisi|convenu|migré)\b|\b(nous utilisons|on utilise|nous sommes passés)\b/iu,
  /\b(hemos|habíamos) (decidido|acordado|elegido|migrado|cambiado)\b|\b(usamos|utilizamos|decidimos|migramos)\b/iu,
  /\b(nós )?(decidimos|escolhemos|combinamos|migramos|mudamos|usamos|utilizamos)\b/iu,
  /(我们|我)(已经)?(决定|约定|商定|改用|换成|选择了|采用|使用|用的是)/u,
  /(ことに(した|しました|決めた|決めました|なった|なりました))|に(切り替え|移行し|変更し)ま?した|(私たちは|うちは).{1,30}を(使って|使い)/u,
]);

/** What is so, said plainly and with something that names what it is about. */
const FACT: readonly WordPattern[] = withWordEdges([
  /^(no,? |actually,? |wrong,? |fyi,? |btw,? |by the way,? |note:? )*(the|our|my|this|these) [^,;:]{2,60}? (is|are|was moved to|runs? (on|in|at)|lives? (in|at|under)|listens? on|needs?|requires?|is called|comes from|must be|defaults? to)\b .{2,}/iu,
  /^(fyi|btw|by the way|for context|for the record)\b[,:]? .{10,}/iu,
  /^(nein,? |übrigens,? )*(der|die|das|unser(e)?|mein(e)?) [^,;:]{2,60}? (ist|sind|läuft|liegt|heißt|braucht|benötigt)\b .{2,}/iu,
  /^(non,? |en fait,? )*(le|la|les|notre|mon|ma|nos) [^,;:]{2,60}? (est|sont|tourne|se trouve|s'appelle|écoute)\b .{2,}/iu,
  /^(no,? |en realidad,? )*(el|la|los|las|nuestr[oa]s?|mis?) [^,;:]{2,60}? (es|son|está|están|corre|se llama|escucha|necesita)\b .{2,}/iu,
  /^(não,? |na verdade,? )*(o|a|os|as|noss[oa]s?|meu|minha) [^,;:]{2,60}? (é|são|está|estão|roda|se chama|escuta|precisa)\b .{2,}/iu,
  /^(我们的|这个|本|我的).{1,30}(是|在|位于|叫|需要|使用).{1,}/u,
  /^(この|私たちの|うちの).{1,30}は.{2,}(です|にあります|で動(いて|きます))/u,
]);

const marked = (
  kind: StatementMarker["kind"],
  asks: boolean,
  patterns: readonly WordPattern[],
): StatementMarker[] => patterns.map((pattern) => ({ kind, asks, pattern }));

/**
 * All markers. English, German, French, Spanish, Portuguese, Chinese and Japanese, and what asks for remembering in Italian, Dutch,
 * Polish, Russian and Korean; in other languages only the prompt itself is kept.
 */
export const STATEMENT_MARKERS: readonly StatementMarker[] = [
  ...marked("fact", true, REMEMBER),
  ...marked("preference", false, PREFERENCE),
  ...marked("decision", false, DECISION),
  ...marked("fact", false, FACT),
];

/** Says what somebody else said, or what a text says. */
export const REPORTED: readonly WordPattern[] = withWordEdges([
  /\b(he|she|they|someone|somebody|everyone|people|the (\p{L}+ )?(ticket|docs?|documentation|readme|issue|article|blog|manual|comment|error|log|message|output|test|spec|customer|client|boss|manager|user|reviewer|assistant|model|agent|author|file|page)s?) (said|says|say|told|wrote|writes|claims?|claimed|suggests?|suggested|thinks?|mentions?|mentioned|states?|stated|asks?|asked|recommends?|recommended)\b/iu,
  /\b(?!We\b)\p{Lu}\p{Ll}+ (said|says|say|told|wrote|writes|claims?|claimed|suggests?|suggested|thinks?|mentions?|mentioned|states?|stated|asks?|asked|recommends?|recommended)\b/u,
  /\b(told|tells) (me|us)\b|^(@\w[\w.-]*:?|\[[^\]]{1,24}\] ?[\w .-]{1,24}[:>]|[\w.-]{1,24}>|(user|assistant|human|system|subject|from|to|re|fwd):) /iu,
  /\baccording to\b|\b(it|which) says\b|\bquote\b|\bsupposedly\b|\ballegedly\b|\bapparently\b/iu,
  /\bangeblich\b|\b(laut|gemäß)\b|\b(sagt|sagte|meint|meinte|schreibt|schrieb|behauptet)\b/iu,
  /\b(selon|d'après)\b|\b(a dit|dit que|écrit que|prétend)\b/iu,
  /\b(según|dice que|dijo que|escribió)\b|\b(segundo o|segundo a|disse que|diz que|escreveu)\b/iu,
  /(他|她|他们|文档|有人).{0,4}(说|写|认为|表示)|根据|据说/u,
  /(によると|によれば|と言(って|いま|った)|と書(いて|かれ))/u,
]);

/** Only supposed, denied, asked for once, or of this moment or another place: nothing that holds later. */
export const PASSING: readonly WordPattern[] = withWordEdges([
  /\b(i|we) (do not|don't|did not|didn't) (think|believe|know|say|mean)\b|\b(it|that)('s| is| was|'s) not (true|right|the case|so)\b|\b(isn't|wasn't) (true|right|the case)\b|\b(i was|you are|you're) wrong\b|\b(was|were|is|it's) (just |only )?(a joke|kidding|joking)\b/iu,
  /\b(haven't|hasn't|hadn't|didn't|have not|has not|had not|did not|never|not yet) (yet )?(decided?|agreed?|settled?|chosen?|picked?|moved?|switched?|migrated?)\b/iu,
  /^(pretend|hypothetically|theoretically|for (example|instance)|e\.g\.?|had (we|i|they)|let us (say|pretend|assume|suppose)|once upon a time|say (that )?(we|i|our|the|this)|back in)\b/iu,
  /^(please )?(add|write|tell|explain|translate|describe|summari[sz]e|show|print|rephrase|proofread|review (this|the|my)) /iu,
  /\b(in|at|for|with) (my|our|an|some)? ?(other|previous|last|old|former|different) (project|repo(sitory)?|company|team|job|employer|codebase)s?\b|\bin (the|this|that|a|an) (tutorial|example|book|article|course|video|blog( post)?)\b|\b(we|i) used to\b(?!.*\bnow\b)|\buntil (last|recently|yesterday)\b/iu,
  /^(the|this|my) (bug|issue|error|problem|question|task|goal|point|idea|output|result|answer|next step)s? (is|are)\b|\b(is|are) (still |now |again |currently |all )*(broken|failing|down|crashing|hanging|stuck|not working)\b/iu,
  /,? (right|correct|isn't it|aren't we|don't we|didn't we|oder|nicht wahr|gell|n'est-ce pas|verdad|né)[.!]?$|^(by default|in (the )?future|from now on|going forward),? (what|how|why|where|who|which|do|does|is|are|can|could|would|should)\b/iu,
  /^(if|when|unless|suppose|imagine|assume|assuming|let's say|what if|maybe|perhaps|could|can|would|should|shall|may|might|is|are|do|does|did|will|has|have|how|why|what|where|who|which)\b/iu,
  /\b(maybe|perhaps|i (think|guess|wonder|suppose|believe)|not sure|might be|could be|i'm (trying|going|about) to|let me)\b/iu,
  /\b(for (now|this (one|time|task|file|test|run|commit))|just this once|right now|at the moment|temporarily|this time)\b/iu,
  /^(wenn|falls|angenommen|vielleicht|können|kannst|könntest|soll(en)?|ist|sind|warum|wie|was|wo|wer)\b|\b(vielleicht|ich (glaube|denke)|vorerst|diesmal|gerade)\b|\bnicht (entschieden|beschlossen|merken)\b/iu,
  /^(si|peut-être|supposons|est-ce|pourquoi|comment|que|où|qui)\b|\b(peut-être|je (pense|crois)|pour l'instant|cette fois)\b/iu,
  /^(si|quizás|tal vez|supongamos|por qué|cómo|qué|dónde|quién)\b|\b(quizás|tal vez|creo que|por ahora|esta vez)\b/iu,
  /^(se|talvez|suponha|por que|como|onde|quem)\b|\b(talvez|acho que|por enquanto|desta vez)\b/iu,
  /^(如果|假如|也许|可能|能不能|可以|为什么|怎么|什么|哪)|(也许|我觉得|我想|暂时|这次)/u,
  /^(もし|たぶん|多分|なぜ|どう|何)|(かもしれ|と思い|今回だけ|とりあえず)/u,
]);

/** Takes back what was said just before. */
export const TAKEN_BACK = withWordEdges([
  /^(no,? |just |only |i'm |i was |haha,? )*(kidding|joking|jk|scratch that|never ?mind|forget (that|it)|strike that)\b|^that was (just |only )?a joke\b/iu,
  /^((das )?war (nur )?(ein )?(spaß|scherz)|vergiss (das|es)|je plaisante|laisse tomber|es broma|olvídalo|brincadeira|esquece)\b/iu,
]);

/** A sentence that asks. The sign within an address asks nothing. */
export const QUESTION = /\?(?!\w)|[？؟]|(吗|呢|か)[。.!！]?$|^¿/u;
