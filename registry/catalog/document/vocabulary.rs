//! The closed sets of words: parts, modes, service tiers, capabilities.

/// Declares an enum whose variants have fixed names in documents.
macro_rules! words {
    (
        $(#[$meta:meta])*
        $name:ident { $( $(#[$vmeta:meta])* $variant:ident = $text:literal, )+ }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name { $( $(#[$vmeta])* $variant, )+ }

        impl $name {
            /// Every value, in declaration order.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The name in documents.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $text, )+ }
            }

            /// The value with this name, if there is one.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $( $text => Some(Self::$variant), )+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

words! {
    /// A part of a call that has its own count of tokens and its own price.
    ///
    /// The counts of a [`Usage`](crate::catalog::Usage) are disjoint: a token is in exactly one part.
    Part {
        /// Text tokens of the prompt that were neither read from a cache nor written to one.
        Input = "input",
        /// Text tokens of the answer, without reasoning.
        Output = "output",
        /// Prompt tokens read from a cache.
        CacheRead = "cache_read",
        /// Audio tokens of the prompt read from a cache.
        CacheReadAudio = "cache_read_audio",
        /// Prompt tokens written to a cache for the provider's usual time: five minutes at
        /// Anthropic, the default retention elsewhere.
        CacheWrite5m = "cache_write_5m",
        /// Prompt tokens written to a cache for an hour.
        CacheWrite1h = "cache_write_1h",
        /// Audio tokens of the prompt.
        AudioInput = "audio_input",
        /// Audio tokens of the answer.
        AudioOutput = "audio_output",
        /// Image tokens of the prompt. Without a price of their own they cost as [`Part::Input`].
        ImageInput = "image_input",
        /// Image tokens of the answer.
        ImageOutput = "image_output",
        /// Video tokens of the prompt. Without a price of their own they cost as [`Part::Input`].
        VideoInput = "video_input",
        /// Reasoning tokens of the answer. Without a price of their own they cost as
        /// [`Part::Output`].
        Reasoning = "reasoning",
    }
}

impl Part {
    /// How many parts there are.
    pub(crate) const COUNT: usize = Self::ALL.len();

    /// Whether tokens of this part belong to the prompt, and so count toward a tier.
    #[must_use]
    pub const fn is_prompt(self) -> bool {
        !matches!(
            self,
            Self::Output | Self::AudioOutput | Self::ImageOutput | Self::Reasoning
        )
    }

    /// The part whose price stands in where this one states none.
    ///
    /// Providers count these tokens among those of the other part and bill them so, unless they
    /// list a price. No other part has a stand-in: its price is then not known.
    #[must_use]
    pub const fn priced_as(self) -> Option<Self> {
        match self {
            Self::Reasoning => Some(Self::Output),
            Self::ImageInput | Self::VideoInput => Some(Self::Input),
            _ => None,
        }
    }
}

words! {
    /// What a model does.
    Mode {
        /// Takes a conversation and answers it.
        Chat = "chat",
        /// As chat, but served only by a responses endpoint.
        Responses = "responses",
        /// Continues a text.
        Completion = "completion",
        /// Turns a text into a vector.
        Embedding = "embedding",
        /// Speaks and listens over a live connection.
        Realtime = "realtime",
        /// Writes down what is said, priced by token.
        AudioTranscription = "audio_transcription",
        /// Speaks a text, priced by token.
        AudioSpeech = "audio_speech",
    }
}

words! {
    /// The class of service that a call asks for, each with its own price list.
    ServiceTier {
        /// What a call gets that asks for nothing.
        Standard = "standard",
        /// Answered within a day.
        Batch = "batch",
        /// Answered when there is room.
        Flex = "flex",
        /// Answered before others.
        Priority = "priority",
    }
}

words! {
    /// Something that a model may be able to do.
    Capability {
        /// Sends its answer as it is made.
        Streaming = "streaming",
        /// Asks for tools to be called.
        ToolCalling = "tool_calling",
        /// Asks for several tools in one turn.
        ParallelToolCalling = "parallel_tool_calling",
        /// Can be told which tool to call.
        ToolChoice = "tool_choice",
        /// Keeps its answer to a JSON Schema.
        JsonSchema = "json_schema",
        /// Takes a system message.
        SystemMessages = "system_messages",
        /// Sees images.
        Vision = "vision",
        /// Hears audio.
        AudioInput = "audio_input",
        /// Speaks.
        AudioOutput = "audio_output",
        /// Reads PDF files.
        PdfInput = "pdf_input",
        /// Sees video.
        VideoInput = "video_input",
        /// Reads a repeated prompt from a cache.
        PromptCaching = "prompt_caching",
        /// Reasons before it answers.
        Reasoning = "reasoning",
        /// Searches the web by itself.
        WebSearch = "web_search",
        /// Operates a screen.
        ComputerUse = "computer_use",
    }
}

/// What a catalog says of a capability. A gate passes on [`Support::Yes`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Support {
    /// The source says that the model can.
    Yes,
    /// The source says that the model can't.
    No,
    /// The source says nothing.
    NotStated,
}

impl Support {
    /// Whether this is [`Support::Yes`].
    #[must_use]
    pub const fn is_yes(self) -> bool {
        matches!(self, Self::Yes)
    }
}

impl std::fmt::Display for Support {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::NotStated => "not stated",
        })
    }
}
