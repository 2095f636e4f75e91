// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A local stand-in for USDC: pause, blacklist, and an allowance for each minter.
contract UsdcLike {
    string public constant name = "USD Coin";
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;
    uint256 public totalSupply;
    bool public paused;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isBlacklisted;
    mapping(address => uint256) public minterAllowance;
    address private immutable owner = msg.sender;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    modifier onlyOwner() {
        require(msg.sender == owner, "Ownable: caller is not the owner");
        _;
    }

    modifier open(address account) {
        require(!paused, "Pausable: paused");
        require(!isBlacklisted[account], "Blacklistable: account is blacklisted");
        _;
    }

    function setPaused(bool value) external onlyOwner {
        paused = value;
    }

    function setBlacklisted(address account, bool value) external onlyOwner {
        isBlacklisted[account] = value;
    }

    function setMinterAllowance(address minter, uint256 value) external onlyOwner {
        minterAllowance[minter] = value;
    }

    function approve(address spender, uint256 value) public open(msg.sender) returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function increaseAllowance(address spender, uint256 value) external returns (bool) {
        return approve(spender, allowance[msg.sender][spender] + value);
    }

    function transfer(address to, uint256 value) external open(to) returns (bool) {
        _pay(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value)
        external
        open(from)
        returns (bool)
    {
        require(
            allowance[from][msg.sender] >= value,
            "ERC20: transfer amount exceeds allowance"
        );
        allowance[from][msg.sender] -= value;
        _pay(from, to, value);
        return true;
    }

    function mint(address to, uint256 value) external open(to) returns (bool) {
        if (msg.sender != owner) {
            require(
                minterAllowance[msg.sender] >= value,
                "FiatToken: mint amount exceeds minterAllowance"
            );
            minterAllowance[msg.sender] -= value;
        }
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
        return true;
    }

    function burn(uint256 value) external open(msg.sender) {
        balanceOf[msg.sender] -= value;
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
    }

    function _pay(address from, address to, uint256 value) private {
        require(!isBlacklisted[from], "Blacklistable: account is blacklisted");
        require(balanceOf[from] >= value, "ERC20: transfer amount exceeds balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// A local stand-in for TokenMinterV2.
contract LocalTokenMinter {
    bool public paused;
    mapping(address => uint256) public burnLimitsPerMessage;
    mapping(bytes32 => address) private localTokens;
    address private immutable owner = msg.sender;
    address private messenger;

    modifier onlyOwner() {
        require(msg.sender == owner, "Ownable: caller is not the owner");
        _;
    }

    function setMessenger(address value) external onlyOwner {
        messenger = value;
    }

    function setPaused(bool value) external onlyOwner {
        paused = value;
    }

    function setBurnLimit(address token, uint256 value) external onlyOwner {
        burnLimitsPerMessage[token] = value;
    }

    function linkToken(uint32 domain, bytes32 remote, address token) external onlyOwner {
        localTokens[keccak256(abi.encode(domain, remote))] = token;
    }

    function getLocalToken(uint32 domain, bytes32 remote) public view returns (address) {
        return localTokens[keccak256(abi.encode(domain, remote))];
    }

    function burn(address token, uint256 amount) external {
        require(!paused, "Pausable: paused");
        require(msg.sender == messenger, "Caller is not the local TokenMessenger");
        uint256 limit = burnLimitsPerMessage[token];
        require(limit > 0, "Burn token not supported");
        require(amount <= limit, "Burn amount exceeds per tx limit");
        UsdcLike(token).burn(amount);
    }

    struct Payment {
        uint32 domain;
        bytes32 remoteToken;
        address recipient;
        uint256 amount;
        address feeRecipient;
        uint256 fee;
    }

    function mint(Payment calldata payment) external returns (address token) {
        require(!paused, "Pausable: paused");
        require(msg.sender == messenger, "Caller is not the local TokenMessenger");
        token = getLocalToken(payment.domain, payment.remoteToken);
        require(token != address(0), "Mint token not supported");
        UsdcLike(token).mint(payment.recipient, payment.amount);
        if (payment.fee > 0) UsdcLike(token).mint(payment.feeRecipient, payment.fee);
    }
}

/// A local stand-in for MessageTransmitterV2: several attesters, in the order of their addresses.
contract LocalTransmitter {
    uint32 public immutable localDomain;
    uint32 public constant version = 1;
    uint256 public constant maxMessageBodySize = 8192;
    uint256 public signatureThreshold;
    bool public paused;
    mapping(address => bool) public isEnabledAttester;
    mapping(bytes32 => uint256) public usedNonces;
    address private immutable owner = msg.sender;

    event MessageSent(bytes message);
    event MessageReceived(
        address indexed caller,
        uint32 sourceDomain,
        bytes32 indexed nonce,
        bytes32 sender,
        uint32 indexed finalityThresholdExecuted,
        bytes messageBody
    );

    constructor(uint32 domain, address[] memory attesters) {
        localDomain = domain;
        signatureThreshold = attesters.length;
        for (uint256 i = 0; i < attesters.length; i++) isEnabledAttester[attesters[i]] = true;
        usedNonces[bytes32(0)] = 1;
    }

    function setPaused(bool value) external {
        require(msg.sender == owner, "Ownable: caller is not the owner");
        paused = value;
    }

    function sendMessage(
        uint32 destination,
        bytes32 recipient,
        bytes32 caller,
        uint32 minFinality,
        bytes calldata body
    ) external {
        require(!paused, "Pausable: paused");
        require(destination != localDomain, "Domain is local domain");
        emit MessageSent(
            bytes.concat(
                abi.encodePacked(version, localDomain, destination, bytes32(0)),
                abi.encodePacked(bytes32(uint256(uint160(msg.sender))), recipient, caller),
                abi.encodePacked(minFinality, uint32(0), body)
            )
        );
    }

    function receiveMessage(bytes calldata message, bytes calldata attestation)
        external
        returns (bool)
    {
        require(!paused, "Pausable: paused");
        _verify(message, attestation);
        require(message.length >= 148, "Invalid message: too short");
        require(uint32(bytes4(message[8:12])) == localDomain, "Invalid destination domain");
        bytes32 only = bytes32(message[108:140]);
        require(
            only == 0 || only == bytes32(uint256(uint160(msg.sender))),
            "Invalid caller for message"
        );
        require(uint32(bytes4(message[0:4])) == version, "Invalid message version");
        bytes32 nonce = bytes32(message[12:44]);
        require(usedNonces[nonce] == 0, "Nonce already used");
        usedNonces[nonce] = 1;
        _handle(message);
        emit MessageReceived(
            msg.sender,
            uint32(bytes4(message[4:8])),
            nonce,
            bytes32(message[44:76]),
            uint32(bytes4(message[144:148])),
            message[148:]
        );
        return true;
    }

    function _handle(bytes calldata message) private {
        LocalMessenger(address(uint160(uint256(bytes32(message[76:108]))))).handleMessage(
            uint32(bytes4(message[4:8])),
            bytes32(message[44:76]),
            uint32(bytes4(message[144:148])),
            message[148:]
        );
    }

    function _verify(bytes calldata message, bytes calldata attestation) private view {
        require(attestation.length == 65 * signatureThreshold, "Invalid attestation length");
        bytes32 digest = keccak256(message);
        address latest = address(0);
        for (uint256 i = 0; i < signatureThreshold; i++) {
            bytes calldata one = attestation[i * 65:(i + 1) * 65];
            require(
                uint256(bytes32(one[32:64])) <=
                    0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0,
                "ECDSA: invalid signature 's' value"
            );
            address signer = ecrecover(
                digest,
                uint8(one[64]),
                bytes32(one[0:32]),
                bytes32(one[32:64])
            );
            require(signer > latest, "Invalid signature order or dupe");
            require(isEnabledAttester[signer], "Invalid signature: not attester");
            latest = signer;
        }
    }
}

/// A local stand-in for TokenMessengerV2, in version 2.0 or (`hasMinFee`) 2.1.
contract LocalMessenger {
    LocalTransmitter public immutable localMessageTransmitter;
    LocalTokenMinter public immutable localMinter;
    uint32 public constant messageBodyVersion = 1;
    address public constant feeRecipient = address(0xFEE);
    bool private immutable hasMinFee;
    uint256 private minFeeRate;
    mapping(uint32 => bytes32) public remoteTokenMessengers;
    mapping(address => bool) public isDenylisted;
    address private immutable owner = msg.sender;

    event DepositForBurn(
        address indexed burnToken,
        uint256 amount,
        address indexed depositor,
        bytes32 mintRecipient,
        uint32 destinationDomain,
        bytes32 destinationTokenMessenger,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 indexed minFinalityThreshold,
        bytes hookData
    );
    event MintAndWithdraw(
        address indexed mintRecipient,
        uint256 amount,
        address indexed mintToken,
        uint256 feeCollected
    );

    constructor(LocalTransmitter transmitter, LocalTokenMinter minter, bool isOfVersion21) {
        localMessageTransmitter = transmitter;
        localMinter = minter;
        hasMinFee = isOfVersion21;
    }

    modifier onlyOwner() {
        require(msg.sender == owner, "Ownable: caller is not the owner");
        _;
    }

    function setRemote(uint32 domain, bytes32 messenger) external onlyOwner {
        remoteTokenMessengers[domain] = messenger;
    }

    function setDenylisted(address account, bool value) external onlyOwner {
        isDenylisted[account] = value;
    }

    function setMinFeeRate(uint256 rate) external onlyOwner {
        minFeeRate = rate;
    }

    function getMinFeeAmount(uint256 amount) public view returns (uint256) {
        if (!hasMinFee) {
            assembly {
                revert(0, 0)
            }
        }
        if (minFeeRate == 0) return 0;
        uint256 fee = (amount * minFeeRate) / 10_000_000;
        return fee == 0 ? 1 : fee;
    }

    struct Burn {
        uint256 amount;
        uint32 domain;
        bytes32 recipient;
        address token;
        bytes32 caller;
        uint256 maxFee;
        uint32 minFinality;
        bytes hook;
    }

    function depositForBurn(
        uint256 amount,
        uint32 destinationDomain,
        bytes32 mintRecipient,
        address burnToken,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 minFinalityThreshold
    ) external {
        _burn(
            Burn(
                amount,
                destinationDomain,
                mintRecipient,
                burnToken,
                destinationCaller,
                maxFee,
                minFinalityThreshold,
                ""
            )
        );
    }

    function depositForBurnWithHook(
        uint256 amount,
        uint32 destinationDomain,
        bytes32 mintRecipient,
        address burnToken,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 minFinalityThreshold,
        bytes calldata hookData
    ) external {
        require(hookData.length > 0, "Hook data is empty");
        _burn(
            Burn(
                amount,
                destinationDomain,
                mintRecipient,
                burnToken,
                destinationCaller,
                maxFee,
                minFinalityThreshold,
                hookData
            )
        );
    }

    function _burn(Burn memory asked) private {
        require(!isDenylisted[msg.sender], "Denylistable: account is on denylist");
        require(asked.amount > 0, "Amount must be nonzero");
        require(asked.recipient != 0, "Mint recipient must be nonzero");
        require(asked.maxFee < asked.amount, "Max fee must be less than amount");
        if (hasMinFee) {
            require(asked.maxFee >= getMinFeeAmount(asked.amount), "Insufficient max fee");
        }
        bytes32 remote = remoteTokenMessengers[asked.domain];
        require(remote != 0, "No TokenMessenger for domain");
        UsdcLike(asked.token).transferFrom(msg.sender, address(localMinter), asked.amount);
        localMinter.burn(asked.token, asked.amount);
        localMessageTransmitter.sendMessage(
            asked.domain,
            remote,
            asked.caller,
            asked.minFinality,
            _bodyOf(asked)
        );
        emit DepositForBurn(
            asked.token,
            asked.amount,
            msg.sender,
            asked.recipient,
            asked.domain,
            remote,
            asked.caller,
            asked.maxFee,
            asked.minFinality,
            asked.hook
        );
    }

    function _bodyOf(Burn memory asked) private view returns (bytes memory) {
        return
            bytes.concat(
                abi.encodePacked(
                    messageBodyVersion,
                    bytes32(uint256(uint160(asked.token))),
                    asked.recipient,
                    asked.amount
                ),
                abi.encodePacked(bytes32(uint256(uint160(msg.sender))), asked.maxFee),
                abi.encodePacked(uint256(0), uint256(0), asked.hook)
            );
    }

    function handleMessage(
        uint32 domain,
        bytes32 sender,
        uint32 finality,
        bytes calldata body
    ) external {
        require(
            msg.sender == address(localMessageTransmitter) &&
                remoteTokenMessengers[domain] == sender &&
                sender != 0,
            "Remote TokenMessenger unsupported"
        );
        require(finality >= 500, "Unsupported finality threshold");
        require(uint32(bytes4(body[0:4])) == messageBodyVersion, "Invalid message body version");
        uint256 expiry = uint256(bytes32(body[196:228]));
        require(
            expiry == 0 || expiry > block.number,
            "Message expired and must be re-signed"
        );
        uint256 amount = uint256(bytes32(body[68:100]));
        uint256 fee = uint256(bytes32(body[164:196]));
        require(fee == 0 || fee < amount, "Fee equals or exceeds amount");
        require(fee <= uint256(bytes32(body[132:164])), "Fee exceeds max fee");
        address recipient = address(uint160(uint256(bytes32(body[36:68]))));
        address token = localMinter.mint(
            LocalTokenMinter.Payment(
                domain,
                bytes32(body[4:36]),
                recipient,
                amount - fee,
                feeRecipient,
                fee
            )
        );
        emit MintAndWithdraw(recipient, amount - fee, token, fee);
    }
}
