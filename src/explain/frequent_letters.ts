/**
 * The letters of languages in the order in which texts and comments of programs have them.
 *
 * @module
 */

/** The bits that a letter costs by its place: the first ones are frequent. */
function byRank(letters: string, first: number, step: number): ReadonlyMap<string, number> {
  return new Map([...letters].map((letter, rank) => [letter, first + step * Math.log2(1 + rank)]));
}

function alike(letters: string, bits: number): [string, number][] {
  return [...letters].map((letter) => [letter, bits]);
}

const HIRAGANA =
  "のにをはたがでてとしれさいるなっかすらこもうあまりよくきけそえつおどんだせちめわみじやろばほ";
const KATAKANA =
  "ンーリルスアトイクラッドタフレジコシプロマグテサデバムメエィュカニパブキチナオヴズュェァ";
const KANJI =
  "日本一人年大国会中出事者合定時的力場関用手内全方自表対分要作性新行入下設認員動数名前後間" +
  "変更初期化取得処理開始終了引説明戻値成功失敗接続保存削除読込書文字列語設定回上下版権在";
const SIMPLIFIED =
  "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过" +
  "发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心" +
  "数据文件函误错返回名称功描述参明值改记录注意此处除欢迎使本系统公园电压采转换按键扫界初始化" +
  "配置读取信息库连接失败则测试计算两日期间版权请勿删旧缓存登重获前保网络求超务器格式正确户空" +
  "加载模块打开串口设波特率定断显示菜单添新查询列表类型输入";
const TRADITIONAL =
  "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過" +
  "發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心" +
  "資料檔案函錯誤回傳名稱功描述參數明值改紀錄注意此處除歡迎使本系統公園界初始化設定讀取訊庫連" +
  "線失敗則測試計算兩日期間版權請勿刪舊快登重獲前儲存網路求逾伺服器格式正確戶空載模組顯示選單";
const HANGUL =
  "이다는에가을를의하지고은로한사기자니시도리인어나정스대일장해서그수보전주부아여라제상들요" +
  "파설화용오습십세데터베결패면반환글테트함두날짜계산저작권마올래된캐삭현간안녕버식바않름필모듈" +
  "듈표변경내역매개";

/** What letters of each language cost. */
export const FREQUENT = {
  western: new Map([
    ...alike("éàüöäßçóíáâôúã", 5),
    ...alike("èêñîûõ", 6.5),
    ...alike("åøæëïùìòœÿ©®°", 8),
  ]),
  central: byRank("áíéęěóąčłřžšýłůśćżńőűúťďňźăţ", 5, 0.6),
  turkish: byRank("ıüşçöğiâ", 5, 0.6),
  baltic: byRank("āīėšūēžąčģķļņįųęõäöü", 5.5, 0.6),
  cyrillic: byRank("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґўј", 2.5, 0.75),
  greek: byRank("αοιετνσηυρπκμλςίόάέωδήγχθφβύξώζψ", 2.5, 0.75),
  hebrew: byRank("יוהלאםרתבשמנדחעקפטסגזןכץךף", 2.5, 0.75),
  arabic: byRank("الينمرتوبةعدسفهكقحجشطصأخضذثئءغظىؤإآ", 2.5, 0.75),
  thai: byRank("านรอกเงมยลวดทตสั่้ีปหิใไแจคพบขุชธะูถโณผซศ็์ำภึญื", 2.5, 0.75),
  simplified: new Map([...alike(SIMPLIFIED, 7), ...alike("。,、", 7)]),
  traditional: new Map([...alike(TRADITIONAL, 7), ...alike("。,、", 7)]),
  japanese: new Map([
    ...alike(KANJI, 8),
    ...byRank(HIRAGANA, 3.5, 0.6),
    ...byRank(KATAKANA, 4, 0.6),
    ...alike("。、「」", 6),
  ]),
  korean: new Map(alike(HANGUL, 7)),
} as const satisfies Record<string, ReadonlyMap<string, number>>;

/** The characters that two bytes stand for, by the range of the first byte. */
function ofTwoBytes(label: string, from: number, to: number): ReadonlySet<string> {
  const decoder = new TextDecoder(label);
  const characters = new Set<string>();
  for (let lead = from; lead <= to; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      characters.add(decoder.decode(Uint8Array.of(lead, trail)));
    }
  }
  return characters;
}

/** Letters of two bytes that are not as frequent, but usual: standards list those first. */
const USUAL: Partial<Record<keyof typeof FREQUENT, readonly [string, number, number]>> = {
  simplified: ["gb18030", 0xb0, 0xd7],
  traditional: ["big5", 0xa4, 0xc6],
  japanese: ["euc-jp", 0xa4, 0xcf],
  korean: ["euc-kr", 0xb0, 0xc8],
};
const usual = new Map<keyof typeof FREQUENT, ReadonlySet<string>>();

/** Whether a letter of two bytes is usual; nothing in a language without such letters. */
export function isUsual(language: keyof typeof FREQUENT, letter: string): boolean | undefined {
  const range = USUAL[language];
  return range && usual.getOrInsertComputed(language, () => ofTwoBytes(...range)).has(letter);
}
