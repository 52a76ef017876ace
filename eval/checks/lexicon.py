"""The words by which a thought speaks of causes, outcomes, reach and changes, English and Chinese.

Patterns are tried on text whose full-width punctuation is written as in English, ignoring case.
Chinese has no word boundaries, so its words are looked for anywhere.
"""

# Patterns read best on one line for each language.
# ruff: noqa: E501

import re
from collections.abc import Mapping
from typing import Final

from trajectory.error_types import ErrorType


def words(english: str, chinese: str) -> re.Pattern[str]:
    """Return a pattern of alternatives: English ones as whole words, Chinese ones anywhere."""
    return re.compile(rf"\b(?:{english})\b|(?:{chinese})", re.IGNORECASE | re.ASCII)


# --- kinds of errors -------------------------------------------------------------------------

_KIND_OF: Final = "string|text|number|integer|float|list|array|object|boolean"
_ZH_KIND_OF: Final = "字符串|文本|数字|整数|浮点数|列表|数组|对象|布尔"

KINDS: Final[Mapping[str, re.Pattern[str]]] = {
    ErrorType.TIMEOUT: words(
        r"time[ds]?[- _]?out|timing out|did(?: not|n't) (?:answer|respond|reply)\b"
        r"(?: in time| within[\w ]*)?|no (?:answer|response|reply) (?:in time|within)"
        r"|never (?:answered|responded)|unresponsive|within 30 seconds|too slow",
        "超时|未响应|没有响应|无响应|未在.{0,12}(?:响应|返回)|没有在.{0,12}(?:响应|返回|回应)",
    ),
    ErrorType.NULL: words(
        r"empty|null|nothing|no (?:data|content|results?|output|value|payload)|blank|void"
        r"|(?:came|come) back (?:with )?(?:nothing|empty)",
        r"空|无结果|没有(?:返回|给出|结果|数据|内容)|什么也没|什么都没|未返回",
    ),
    ErrorType.TOOL_NAME: words(
        r"unknown tool|(?:no|not an?) (?:such |known |listed |existing )tool|unlisted"
        r"|not (?:in|on|among|part of) (?:the |any )?(?:\w+ ){0,3}(?:list|tools?|catalogue?)"
        r"|in no (?:tool )?list|misspel\w*|typo|non-?existent|(?:does|do)(?: not|n't) exist"
        r"|(?:wrong|invalid|invented|made-up|mistyped|incorrect|unknown|mutated) (?:tool )?name"
        r"|name(?: of the tool)?(?: \w+){0,4} (?:is|was) (?:off|wrong|mistyped|not right|incorrect)|(?:tool )?name (?:is|was) (?:wrong|unknown|invalid|misspelt|misspelled|not)\w*|no tool (?:called|named|by|of)"
        r"|hallucinated|isn't (?:listed|a listed tool|in the (?:tool )?list)|not listed",
        r"未知(?:的)?工具|不存在|(?:工具)?名(?:称)?.{0,8}(?:错|不对|有误|不正确|写错)|拼写|拼错"
        r"|不在.{0,10}(?:列表|清单|目录|工具)|没有(?:名为|叫).{0,30}工具|没有这个工具|虚构|臆造",
    ),
    ErrorType.TOOL_SELECT: words(
        r"wrong tool|(?:isn't|not) (?:the |a )?(?:\w+ )?tool (?:for|to|that|we|this)|(?:supposed|meant) to|(?:another|other|different) tool|not the (?:right|correct|proper) tool"
        r"|(?:unsuitable|inappropriate|mistaken|incorrect|unfitting) tool"
        r"|(?:right|correct|proper|needed) tool|tool (?:selection|choice)|instead of (?:calling )?\w+_\w+"
        r"|should (?:have )?(?:use|used|call|called|be|been)|where \w+_\w+ (?:is|was) (?:needed|required|meant)"
        r"|does something else|not what (?:is|was) (?:needed|asked|wanted)|tool that (?:does|can)(?: not|n't)",
        r"错误(?:的)?工具|工具.{0,6}(?:选|用)错|(?:选|用)错.{0,4}工具|(?:应|应该|应当|本该)(?:使用|调用|用|是)"
        r"|正确的工具|工具选择|不是.{0,12}(?:工具|所需)|而不是|而非",
    ),
    ErrorType.MISSING_CALL: words(
        r"missing (?:call|step|node|task|tool call)|(?:call|step|node|task|look-?up) (?:\w+ ){0,6}(?:is|was) (?:missing|absent|left out|omitted)"
        r"|no (?:other )?(?:node|step|task|call)\b|never (?:\w+ )?(?:called|planned|fetched|made|ran|looked up|computed|asked|invoked)"
        r"|not (?:planned|in the plan|part of the plan|called anywhere)|left out|leaves out|omit\w*|forgot\w*|skip\w*"
        r"|(?:absent|missing) from the plan|lacks? (?:a|the) (?:call|step|node)|(?:is|was) missing|there is no"
        r"|nothing (?:in the plan )?(?:calls|fetches|computes|looks)",
        r"缺(?:少|失|了)|遗漏|漏(?:掉|了|调|洞)?|没有(?:任何)?.{0,6}(?:节点|步骤|任务).{0,10}(?:调用|执行|获取|负责)?"
        r"|没有(?:调用|安排|规划)|从未(?:调用|执行|规划)|未(?:调用|规划|安排)|不在计划",
    ),
    ErrorType.REDUNDANT_CALL: words(
        r"redundan\w*|duplicat\w*|needless(?:ly)?|unneeded|unnecessar\w*|superfluous|repeats?|twice|again for no"
        r"|(?:nobody|nothing|no one|no node) (?:else )?(?:uses|needs|reads|consumes|asks)\w*|not (?:needed|required|asked for)"
        r"|same call|second (?:time|copy|call)|extra (?:call|step|node|task)|surplus|no purpose",
        r"多余|冗余|重复|不需要|没有必要|不必要|无用|没(?:有)?(?:人|节点|任何).{0,6}(?:使用|需要|用到)|无人使用",
    ),
    ErrorType.SERIAL: words(
        r"too early|too soon|beside|alongside|in parallel|at the same time|same (?:round|layer|time)|simultaneous\w*|concurrent\w*"
        r"|before (?:its|the|node|that|it|\w+ has)|no later than|predecessor|ahead of|not (?:after|wait\w* for)"
        r"|should (?:run|come|wait) (?:after|behind|for)|must (?:run|come|wait) (?:after|behind|for)|(?:does|did)(?: not|n't) wait",
        r"过早|太早|并行|并列|同时|同一(?:轮|层)|先于|早于|之前就|提前|前驱|应(?:该|当)?(?:在|等).{0,16}(?:之后|后|完成)|没有等|未等",
    ),
    ErrorType.PARALLELISM: words(
        r"(?:needless(?:ly)?|unnecessar\w*|superfluous|redundant|spurious|extra|pointless|artificial) (?:\w+ )?(?:edge|dep\w*|wait\w*|chain\w*|serial\w*|order\w*|link|constraint)"
        r"|(?:edge|dependency|wait\w*|dep) (?:\w+ ){0,8}(?:is|was|are) (?:needless|unnecessary|superfluous|not needed|redundant|spurious|pointless)"
        r"|(?:waits?|depends?|waiting|depending) (?:\w+ ){0,6}(?:although|though|even though|without|needlessly|unnecessarily|for no|but)"
        r"|does(?: not|n't) (?:\w+ )?(?:need|use|read)|needs? nothing (?:of|from)|uses? nothing (?:of|from)|no data|independent\w*"
        r"|seriali[sz]\w*|chained|could (?:have )?r[ua]n (?:\w+ )?(?:in parallel|earlier|together|together|at once|beside)|costs? (?:a|one|an extra) round|later than (?:needed|necessary|it could)|needless(?:ly)?",
        r"(?:不必要|多余|无谓|没有必要|不需要)的?.{0,6}(?:依赖|等待|边|串行|顺序)|(?:依赖|等待|边).{0,20}(?:不必要|多余|没有必要|并不需要|无关)"
        r"|并不(?:需要|使用|用到)|不(?:需要|使用|用到).{0,14}(?:结果|输出|数据)|无关|相互独立|独立|串行|串联|本可(?:以)?(?:并行|更早|同时)|白白|多(?:花|等|耗).{0,4}轮|没有用到|未使用",
    ),
    ErrorType.DEPENDENCE: words(
        r"wrong (?:node|dep\w*|producer|step|edge|task|parent|predecessor|upstream)|(?:incorrect|mistaken|stale|misplaced|misdirected|false) (?:dep\w*|edge|producer)"
        r"|(?:depends?|waits?|depending|waiting|hangs?) (?:\w+ ){0,5}(?:instead|rather|where|but|while|when)"
        r"|should (?:have )?(?:depend|wait|hang|be waiting|depended|waited)|must (?:depend|wait)|points? (?:to|at) the wrong|in place of|instead of (?:node|task|step)"
        r"|not on (?:node|task|step|the)",
        r"依赖(?:了)?错|错误(?:的|地)?依赖|依赖(?:关系)?.{0,6}(?:错|不对|有误)|(?:应|应该|应当|本应|必须)(?:依赖|等待)|错(?:误)?的(?:节点|上游|生产者|前置)|指向(?:了)?错|而不是(?:依赖)?(?:节点|任务)|而非(?:节点|任务)",
    ),
    ErrorType.DEPENDENCE_NULL: words(
        r"(?:no|missing|lacks?|lacking|without|empty|absent) (?:an? |any |its |the |their |this |that )?(?:\w+ )?(?:dep\w*|edge|upstream|link)\b"
        r"|(?:depends?|waits?|hangs?) (?:on|for) nothing|(?:does|did|do)(?: not|n't) (?:wait|depend|hang)|(?:dep\w*|edge)(?: \w+){0,6} (?:is|was|are|were) (?:missing|absent|empty|lost|dropped|not declared|left out)"
        r"|dep is (?:\[\]|empty)|only (?:depends on|waits for) root|not (?:wait|depend)ing|undeclared|(?:waits?|depends?) (?:only )?(?:for|on) (?:the )?root",
        r"(?:缺(?:少|失|了)?|没有|无|漏(?:了|掉)?).{0,16}(?:依赖|边|前置)|依赖.{0,10}(?:缺失|为空|丢失|遗漏|没有声明|空)|未(?:依赖|等待|声明)|没有(?:等待|依赖)|不依赖任何|不等待",
    ),
    ErrorType.PARAMETER_NAME: words(
        r"(?:wrong|unknown|invalid|invented|incorrect|misspel\w*|mistaken|renamed|undeclared|unrecogni[sz]ed) (?:parameter|argument|key|field)?\s?(?:name|key)?s?"
        r"|(?:parameter|argument|key) names?|no (?:such )?(?:parameter|argument)|not a (?:\w+ )?(?:parameter|argument)|(?:is|are|be) (?:called|named)|renam\w*"
        r"|(?:does|did)(?: not|n't) (?:know|have|accept|take|declare|recogni[sz]e|define|list|support|contain|expect)|not (?:in|part of|defined in|among) (?:the |its |any )?(?:schema|signature|parameters)|unsupported|undefined|unknown|under the (?:wrong )?name|positional|did you mean|should be (?:called|named)",
        r"参数名|名称错|错误(?:的)?(?:参数|名称|键)|未知(?:的)?参数|不存在的参数|没有(?:名为|叫)?.{0,14}参数|不(?:认识|接受|支持|识别)|未知|键名|字段名|写成了|应(?:该)?(?:叫|为|是|写)|位置参数|改名",
    ),
    ErrorType.PARAMETER_TYPE: words(
        r"(?:wrong|incorrect|invalid|bad|mistaken) (?:json |data )?type|type (?:error|mismatch|is wrong|conflict)|(?:of|in|has|with) the wrong type|types?"
        rf"|(?:{_KIND_OF})s?\b.{{0,60}}\b(?:instead|where|but|wanted|expect\w*|requir\w*|rather|not|demand\w*|need\w*|wants?|while)"
        rf"|(?:instead of|rather than|not|wanted|expects?|requires?|needs?|wants?|demands?|as) an? (?:{_KIND_OF})|placeholder|quoted number|in quotes|(?:whole )?(?:list|array|object) (?:in place|instead) of",
        rf"类型|占位|(?:{_ZH_KIND_OF}).{{0,30}}(?:需要|应为|应该|而|却|期望|要求|不是)|(?:需要|应为|应该是|期望|要求|而不是|不是)(?:一个)?(?:{_ZH_KIND_OF})|加了引号",
    ),
    ErrorType.PARAMETER_INVALID: words(
        r"invalid|illegal|untrue|(?:wrong|false|incorrect|bad|mistaken|impossible|outdated|made-up|invented|altered|fabricated|inaccurate) (?:\w+ ){0,2}(?:value|date|day|amount|id|number|name|city|time|argument|figure|person|unit|currency|quantity|address|order|item)"
        r"|(?:value|argument|date|amount|id|number|quantity|year|it|that|this)\w* (?:is|was|are) (?:wrong|illegal|invalid|incorrect|untrue|not|false|off)"
        r"|(?:does|do)(?: not|n't) (?:match|agree|fit|exist|correspond)|contradict\w*|not what|not the \w+|out of range|inconsistent|differs?|disagree\w*|conflicts?|at odds|while the (?:user|request)|but the (?:user|request)|mismatch\w*|(?:the )?(?:user|request) (?:asked|said|says|asks|wants|wanted|gave|gives|named|names|stated|states)|instead of|wrong(?:ly)?|incorrect(?:ly)?|should be|ought to be",
        r"非法|无效|不合法|不正确|不真实|错误(?:的)?(?:值|取值|日期|数值|参数值)|(?:值|日期|数值|金额|数量).{0,14}(?:错|不对|有误|不符|不正确|非法|不合法|无效)|不符|不一致|不匹配|不吻合|矛盾|与(?:用户|请求).{0,16}|超出范围|并非|而(?:用户|请求)|应(?:为|是|该是|当是)|写成了|(?:写|填)错|而不是",
    ),
    ErrorType.PARAMETER_MISSING: words(
        r"(?:missing|absent|omitted|left out|required|mandatory|obligatory|compulsory) (?:\w+ ){0,2}(?:parameter|argument|field|value|input)?\w*|(?:required|mandatory)(?: \w+){0,8} (?:missing|absent|omitted|left out|not given)"
        r"|lacks?|lacking|without|omit\w*|(?:not|never) (?:given|supplied|provided|set|passed|filled|included|specified)|(?:does|did)(?: not|n't) (?:give|supply|provide|pass|set|include|specify)|(?:is|was) (?:missing|absent)|forg[eo]t\w*|no (?:value for )?\w+ (?:is |was )?(?:given|set|supplied|passed)",
        r"缺(?:少|失|了|乏)?|未(?:提供|给出|传|填|设置|指定|填写)|没有(?:提供|给出|传|填|设置|指定|给)|必填|必需|必要参数|漏(?:了|掉|传|填|写)?|遗漏|省略",
    ),
}

# By their tags, whoever writes them into prose.
TAGS: Final[Mapping[str, re.Pattern[str]]] = {
    kind.value: re.compile(
        rf"(?<![A-Za-z]){re.escape(kind.value).replace('_', '[ _-]?')}(?![A-Za-z])"
        + (f"|{chinese}" if chinese else ""),
        re.IGNORECASE | re.ASCII,
    )
    for kind, chinese in {
        ErrorType.SERIAL: "错误并行",
        ErrorType.PARALLELISM: "错误串行",
        ErrorType.DEPENDENCE: "依赖关系错误|依赖错误",
        ErrorType.DEPENDENCE_NULL: "依赖关系缺失|依赖缺失",
        ErrorType.TOOL_NAME: "工具名称错误|工具名错误",
        ErrorType.TOOL_SELECT: "工具选择错误",
        ErrorType.MISSING_CALL: "必要工具缺失|工具调用缺失",
        ErrorType.REDUNDANT_CALL: "工具调用冗余",
        ErrorType.NULL: "空结果错误|空值错误|返回为空",
        ErrorType.TIMEOUT: "超时错误|超时",
        ErrorType.PARAMETER_NAME: "参数名称错误|参数名错误",
        ErrorType.PARAMETER_TYPE: "参数类型错误|类型错误",
        ErrorType.PARAMETER_INVALID: "参数值非法|参数值错误",
        ErrorType.PARAMETER_MISSING: "必要参数缺失|参数缺失|缺少参数",
    }.items()
}

# What makes a node the cause, beyond that something is wrong with it.
CAUSE: Final = words(
    r"root[- ]cause\w*|cause[sd]?|culprit|origin\w*|the (?:real |true |actual |underlying )?(?:problem|trouble|fault|error|mistake|flaw|defect|issue)"
    r"|to blame|at fault|responsible|stems? from|goes back to|comes? from|due to|because of|lies (?:in|with|at)|is wrong|went wrong|is faulty|is broken",
    r"根因|根本原因|原因|问题(?:出)?在|症结|源于|源自|由.{0,20}(?:引起|导致|造成)|错在|出错的是|罪魁|起因|归咎",
)

# --- outcomes and statuses -------------------------------------------------------------------

FAILED: Final = words(
    r"fail(?:ed|s|ure|ing)?|error(?:ed|s)?|rejected|refused|broke|crashed|unsuccessful\w*|went wrong|did(?: not|n't) (?:succeed|work|go through)",
    r"失败|报错|出错|被拒|拒绝|未成功|没有成功|返回错误|返回了错误",
)
SUCCEEDED: Final = words(
    r"succeeded|successful\w*|went (?:well|through|fine)|(?:is|was|are|were|came back) (?:ok|okay|fine)|worked",
    r"成功|正常(?:返回|完成|执行)?",
)
DONE: Final = words(
    r"(?:has|have|had) (?:already )?(?:returned|delivered|answered|produced|succeeded|run|finished|completed|executed|been (?:run|executed|completed|done))|already (?:ran|run|executed|done|completed|finished)"
    r"|(?:is|are|was|were) (?:already )?(?:done|executed|complete|completed|finished)|ran|status:? (?:is |= ?)?true|marked (?:as )?(?:true|done|executed)|executed",
    r"已(?:经)?(?:执行|完成|运行|跑完|调用)|执行完|完成了|状态(?:为|是|:)? ?true|(?:运行|执行|跑)过(?!早)|已为 ?true",
)
PENDING: Final = words(
    r"pending|(?:has|have|had)(?: not|n't) (?:yet )?(?:run|been (?:run|executed)|started|executed)|not (?:yet )?(?:run|executed|started)|yet to (?:run|be executed)|still (?:to (?:run|come)|waits?|waiting|open|outstanding)"
    r"|status:? (?:is |= ?)?false|marked (?:as )?(?:false|pending)|unexecuted|not run yet|(?:at|as|on|to) [\"'`]?(?:false|pending)",
    r"待执行|未执行|尚未(?:执行|运行|开始)?|等待执行|还没(?:有)?(?:执行|运行|跑)|未运行|状态(?:为|是|:)? ?false|没有执行|挂起|待运行|仍待",
)

# --- reach -----------------------------------------------------------------------------------

REACH: Final = words(
    r"downstream|affect\w*|impact\w*|propagat\w*|cascad\w*|consum\w+|rel(?:y|ies|ied|ying) on|block\w*|in turn|stuck|starv\w*|spread\w*|carr(?:y|ies|ied) (?:over|on|into|the)|flows?|feeds?|inherit\w*|hurt|suffer\w*|hit|endanger\w*|spoil\w*|taint\w*|contaminat\w*|knock-on"
    r"|(?:can(?:not|'t| not)|could(?: not|n't)) (?:\w+ )?(?:run|proceed|start|resolve|work|get|succeed|complete|be)|(?:will|would)(?:n't)?|won't|(?:may|might|could) (?:also |then )?(?:fail|run|be|differ|get|receive|miss|break|come|wait|work|use|have|lack|inherit)|never (?:run|runs|get|gets)|delay\w*|later than|late|one round later|held (?:up|back)|wait\w* (?:longer|for it|on it|for its|for this|for that|for the)|depends? on (?:it|this|that|its)|uses? (?:its|this|that)|needs? (?:its|this|that)|behind it|hangs? on (?:it|this|that)|reach\w*|after it|build\w* on|consequen\w*",
    r"下游|影响|波及|传播|传导|蔓延|连锁|依赖(?:它|该|此|其)|后续|无法|不能|没法|阻塞|卡住|受阻|延迟|推迟|延后|晚(?:一|了|于)|拖慢|受(?:到)?.{0,4}(?:影响|牵连)|牵连|导致|也(?:会|将)(?:失败|出错|受)|随之|连带|殃及|等待(?:它|该|其)|使用(?:它|该|其)|用到(?:它|该|其)|需要(?:它|该|其)|会(?:再|全部|都|也|全|一起|同样)?(?:失败|出错|报错|缺|得到|拿到|返回|算出|收到|使用|用到|跟着|被|一并|晚|受)|将(?:失败|出错|无法|不|会)|拿不到|得不到|会跟着",
)
UNTOUCHED: Final = words(
    r"(?:not|n't|never|neither|nor|un)[ -]?(?:\w+ ){0,2}(?:affected|touched|reached|concerned|involved|impacted|harmed|delayed)|unaffected|untouched|unharmed|independent of|no (?:downstream|other|further|consumer\w*|effect|impact|node|one)(?: \w+){0,5}|nothing (?:else|further|downstream|more|hangs|depends)(?: \w+){0,4}|nobody else|only the response|are (?:all )?(?:fine|right|ok|sound|correct)|is (?:fine|right|ok|sound|correct)|safe|in order|remain\w* valid|still valid|stays? valid",
    r"不受.{0,3}影响|未受.{0,3}影响|没有(?:受)?影响|不影响|没有(?:其他|别的|任何)?(?:下游|节点|后续)|无(?:其他|别的)?下游|没有.{0,6}(?:依赖|等待)(?:它|其)|无关|没问题|没有问题|都正确|正确无误|无误|正常|仍然有效|仅(?:影响)?(?:响应|回复|最终)|只(?:影响|涉及)(?:响应|最终|它自身|自身)",
)
EVERYTHING: Final = words(
    r"(?:every(?:thing)?|all|each|any)(?: \w+){0,4} (?:downstream|below|behind|after|depend\w*|hang\w*|follow\w*|consum\w*|later|that waits?|which waits?)|all (?:later|further|following|subsequent|remaining|downstream|its|their|the other|other|of (?:the|its)) (?:\w+ )?(?:nodes?|tasks?|steps?|calls?|consumers|descendants)|the (?:whole|entire|rest of the) (?:chain|plan|downstream|branch)|everything else|rest of the (?:chain|plan|branch)|all (?:the )?nodes|every (?:other )?(?:node|step|task)",
    r"所有(?:的)?(?:下游|后续|后面|依赖|其他|其余|节点|任务|步骤)|全部(?:下游|后续|节点|任务|步骤)|整(?:条|个)(?:链|计划|下游|分支)|其后(?:的)?(?:所有|全部)|后面(?:的)?(?:所有|全部)|一切后续|全都",
)

# What says of "everything" that it lies behind something.
BELOW: Final = words(
    r"downstream|below|behind|after|depend\w*|hang\w*|follow\w*|consum\w*|later|waits?|subsequent|descendants|chain|branch|rest",
    r"下游|后续|后面|依赖|其后|链|分支|其余|其他",
)

# What is ruled out, and what is left open.
WEIGHED: Final = words(
    r"rule[sd]? out|ruling out|excluded?|eliminated?|not the (?:cause|culprit|reason|problem|trouble)|(?:is|are|was|were) not to blame|not (?:because|due to|caused|at fault)|no (?:sign|evidence|indication|reason to)|rather than|innocent|only (?:a|the) (?:symptom|consequence)|(?:merely|just) (?:a|the) (?:symptom|consequence)|(?:inputs?|arguments?|call|calls|wiring|request|parameters?|nodes?|tasks?|steps?)(?:[\s,]+\w+){0,7} (?:is|are|was|were|look|looks|seem|seems) (?:all |both |itself |themselves |otherwise |quite |perfectly )?(?:right|correct|fine|sound|valid|legal|in order|ok|okay|unaffected)|(?:agrees?|match(?:es)?|fits?|accords?)(?: with)? (?:the |what )?(?:request|user|schema|asked)\w*|(?:arrived|arrive) (?:fine|intact)|not a \w+ (?:issue|problem|error|fault)|(?:fault|problem|trouble) (?:lies|is) with|confirms?"
    r"|risks?|uncertain\w*|unclear|unknown whether|not (?:certain|sure|known)|open question|(?:may|might|could) (?:still |again |yet |well |also )*(?:fail|time out|happen|come back|recur|return|be (?:down|wrong|empty|slow))|if (?:it|this|that|the (?:retry|call|tool|service))(?: \w+){0,3} (?:fails?|again|still|times)|remains? (?:to be seen|open|possible|uncertain)|cannot (?:be )?(?:known?|tell|told|excluded?|ruled?)|can't (?:know|tell|rule|exclude)|assum\w+|caveat|should (?:it|this|that) (?:fail|happen)",
    r"排除|不是(?:根因|原因|问题)|并非.{0,12}(?:原因|造成|导致|问题|根因)|与.{0,12}无关|(?:参数|入参|调用|输入|请求|节点|任务|步骤|连线|依赖)(?:本身|自身|都|均|也)*(?:是|都|均)?(?:没有问题|没问题|没错|正确|无误|合法|正常)|(?:没有问题|没问题|是对的|都对|无误|(?<!不)一致|不是它们?的(?:问题|错))|只是(?:表象|结果|症状)"
    r"|风险|不确定|尚不|未知是否|可能(?:再次|仍|还|依然|又)|(?:如果|若|假如|万一)(?:再次|仍|还|依然|又|它|该|重试)|无法(?:确定|排除|得知)|有待|假设|不能排除|存疑",
)

# --- modality --------------------------------------------------------------------------------

NORMATIVE: Final = words(
    r"should|must|ought to|has to|have to|needs? to|is meant to|are meant to|supposed to|wanted|expects?|expected|requires?|required|wants?|demands?|the right|correct(?: \w+)? (?:is|value|would)|instead of|rather than|not|did you mean",
    r"应(?:该|当)?|必须|需要|需|要求|期望|本应|本该|才对|正确的|而不是|而非",
)
FUTURE: Final = words(
    r"will|would|might|may|could|can(?:not|'t)?|going to|about to|if|unless|once|when it|risk\w*|again",
    r"将|会|可能|如果|若|一旦|风险",
)

# --- what a thought says it changes ----------------------------------------------------------

ACTIONS: Final[Mapping[str, re.Pattern[str]]] = {
    "retry": words(
        r"retr(?:y|ies|ied|ying)|(?:try|tries|tried|trying|call|calls|called|calling|run|runs|ran|running|execute\w*|invoke\w*|ask|send|issue|repeat|make|makes|made|do|query|fetch)(?: \w+){0,8} (?:again|once more|anew|a second time|another time|one more time)|(?:re-?run|rerun|re-?execute|re-?issue|re-?call|re-?send|re-?try)\w*|repeat\w*|(?:another|further|second|fresh|new|one more) (?:attempt|try)|again",
        r"重试|重新(?:执行|调用|运行|尝试|请求|发送|查询|获取)|再(?:次)?(?:执行|调用|运行|尝试|试|请求|查询|跑)|重跑|重做",
    ),
    "restart": words(
        r"start(?:s|ed|ing)? (?:again|over|anew|afresh|from scratch)|from the (?:very )?(?:beginning|start)|redo (?:all|everything)|restart\w*|from scratch",
        r"从头(?:再来|开始|重来|执行)?|重新开始|全部重(?:做|来|新)|推倒重来",
    ),
    "remove": words(
        r"remov(?:e|es|ed|ing|al)|delet(?:e|es|ed|ing)|drop(?:s|ped|ping)?|take(?:s|n)? (?:\w+ ){0,4}out|tak(?:e|es|ing) away|cut(?:s|ting)?|get(?:s|ting)? rid|eliminat\w+|discard\w*|no longer (?:wait|depend)\w*|strip\w*",
        r"删(?:除|掉|去)?|移除|去(?:掉|除)|取消|剔除|丢弃|不再(?:依赖|等待|需要)|解除",
    ),
    "add": words(
        r"add(?:s|ed|ing)?|insert(?:s|ed|ing)?|introduc(?:e|es|ed|ing)|creat(?:e|es|ed|ing)|append\w*|appear(?:s)?|new (?:node|task|step|call)|put(?:s|ting)? (?:\w+ ){0,5}in(?:to)?\b",
        r"新增|新(?:的)?节点|新(?:的)?(?:任务|步骤)|添加|加入|加上|插入|补(?:上|充|一个|回|充了)|增加|新建|增设",
    ),
    "wire": words(
        r"(?:rewir|wir)(?:e|es|ed|ing)|re-?connect\w*|re-?point\w*|(?:now |then |must |to )?(?:depend|wait|hang)(?:s|ing|ed)?(?: \w+){0,2} (?:on|for)|point(?:s|ed|ing)?|edge|dependency|redirect\w*|hang",
        r"依赖|等待|连(?:接|到|边)|边|指向|改接|接到|挂(?:到|在)",
    ),
    "set": words(
        r"becomes?|now (?:calls?|runs?|takes?|gets?|asks?|has|have|reads?|comes?)|set(?:s|ting)?|chang(?:e|es|ed|ing)|replac(?:e|es|ed|ing)|correct(?:s|ed|ing)?|fix(?:es|ed|ing)?|renam(?:e|es|ed|ing)|updat(?:e|es|ed|ing)|us(?:e|es|ing)|switch(?:es|ed|ing)?|convert\w*|cast(?:s|ing)?|suppl(?:y|ies|ied|ying)|giv(?:e|es|ing)|fill(?:s|ed|ing)?|adjust\w*|mend(?:s|ed|ing)?|repair(?:s|ed|ing)?|turn(?:s|ed|ing)?|mov(?:e|es|ed|ing)|modif\w+|pass(?:es|ing)?|provid(?:e|es|ing)|restor\w+|swap\w*|rewrit\w+|put(?:s|ting)?",
        r"改(?:为|成|用|回|正|名|写|动)?|修(?:正|复|改)|设(?:为|成|置)|替换|更(?:正|改|新|换)|填(?:入|写|上)|换(?:成|为)|变为|使用|采用|传入|给出|调整|纠正|恢复",
    ),
    "keep": words(
        r"(?:nothing|no (?:call|node|step|task)|none) (?:has |have )?failed|nothing (?:is|was|went) wrong|all is (?:well|fine|right)|no (?:change|changes|edit|fix|repair)\w*|keep(?:s|ing)?|kept|le(?:ave|aves|aving|ft)|unchanged|untouched|as (?:it|they) (?:is|are|stands?|was|were)|stay(?:s|ed)?|nothing (?:else|more|further)|preserv\w+|retain\w*|goes on|go on|carr(?:y|ies) on|continue\w*|has run|as planned|the rest",
        r"一切正常|没有(?:错误|问题|失败)|无需|保(?:持|留)|不变|不动|维持|原样|其余(?:不变|照旧)?|照旧|继续|沿用|不(?:做|作)(?:其他|任何|别的)?(?:修改|改动|更改)",
    ),
    "finish": words(
        r"(?:answer|respond|reply|finish|conclude)(?:s|ed|ing)? (?:the user )?(?:at once|now|immediately|directly|right away)|everything is done|all (?:is )?done|nothing depends",
        r"(?:直接|立即|马上|立刻)(?:回复|回答|答复|响应|结束)|全部完成|都已完成",
    ),
}

# A clause that tells of what the answer does, rather than of what has happened.
INTENT: Final = words(
    r"(?:I|we)(?:'ll|'ve|'m)?(?= (?!got|get|received|have|had|need|want|are|were|was|see|saw|find|found|read|note|noted|notice|noticed|check|checked|observe|know|think|believe|suspect|conclude|infer|looked|compared|guess|cannot|can't|am not)\w)|I'll|we'll|let me|let us|let's|my (?:fix|plan|repair|change|answer|update)|the (?:fix|repair|remedy|updated plan|new plan|plan now|change|correction|solution)"
    r"|(?:is|are|was|were|gets?|has been|have been) (?:now |therefore |then |thus |also )?(?:set|replaced|added|removed|changed|retried|corrected|rewired|renamed|repeated|inserted|dropped|deleted|kept|left|updated|moved|switched|fixed)|now (?:wait|depend|run|use|call|take|has|have|point)\w*|becomes|(?:stay|remain)s? (?:as|the same|unchanged|untouched)|new node|instead I|so I|plan (?:is|stays)|to (?:fix|repair|mend|correct) (?:this|it|that)",
    r"我(?!看|发现|注意|读|认为|觉得|检查|们(?:看|从|得|收|拿|已|有|需|遗|漏|发|注|可))|将(?=节点|其|它|参数|该|工具|任务|响应|[a-z\"'`])|(?<!会)(?<!要)(?<![0-9A-Za-z])把|改为|改成|改用|新增|添加|补上|修复|修正|更正|替换|设为|设置为|更新后|新计划|重试|重新(?:执行|调用|运行)|加上|换成|换为|变为|插入|删除|移除|去掉|保留|保持|其余不变|改动|计划(?:如下|保持)",
)
BARE: Final = re.compile(
    r"\s*(?:(?:and|then|so|also|therefore|next|finally|first|second|fix|repair|plan|change|update|action)\b[\s,:]*)*"
    r"(?:add|insert|retry|rerun|re-run|set|change|replace|remove|delete|drop|keep|leave|use|rename|correct|make|let|rewire|repeat|try|call|run|update|convert|supply|give|restore|wire|point|mark|fill|put|switch|create|cut|start|swap|move|fix|wait)\b",
    re.IGNORECASE | re.ASCII,
)
