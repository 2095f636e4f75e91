/*
 * The ABI of the audited HTLC contracts of version 3, member by member: selector or first topic,
 * kind, name, inputs with their names and `indexed`, mutability, and outputs. Facts, taken from the
 * compiled audited source; the constructors, which play no part after deployment, are left out.
 */

/** HTLC of a token. */
export const AUDITED_HTLC: readonly string[] = [
  "0x90c06174 error HTLC__DuplicateOrder()",
  "0x2178d3cb error HTLC__HTLCAlreadyInitialized()",
  "0x3dbd7ab4 error HTLC__IncorrectSecret()",
  "0x3b3fd9ae error HTLC__InvalidInitiatorSignature()",
  "0xb41ed7a7 error HTLC__InvalidRedeemerSignature()",
  "0x356b842c error HTLC__OrderFulfilled()",
  "0x839f009c error HTLC__OrderNotExpired()",
  "0xca1eac12 error HTLC__OrderNotInitiated()",
  "0xc7ea8167 error HTLC__SameFunderAndRedeemer()",
  "0xd3eb4c21 error HTLC__SameInitiatorAndRedeemer()",
  "0x5411490b error HTLC__ZeroAddressInitiator()",
  "0x32a4beb3 error HTLC__ZeroAddressRedeemer()",
  "0x4d15835c error HTLC__ZeroAmount()",
  "0xcb5d8501 error HTLC__ZeroTimelock()",
  "0xb3512b0c error InvalidShortString()",
  "0x5274afe7 error SafeERC20FailedOperation(address token)",
  "0x305a27a9 error StringTooLong(string str)",
  "0x0a6387c9ea3628b88a633bb4f3b151770f70085117a15f9bf3787cda53f13d31 event EIP712DomainChanged()",
  "0x01b41cbd4bbcc3c5b968a04d3fbdd8c1648a39ff6d9a3929b4840cea1142bc65 event " +
    "Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 indexed amount)",
  "0x380328b26f928a9e51ec19f8e2199a2bce34db266d093d1e0104bce139ed7555 event " +
    "InitiatedWithDestinationData(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 " +
    "indexed amount, bytes destinationData)",
  "0x4c9a044220477b4e94dbb0d07ff6ff4ac30d443bef59098c4541b006954778e2 event Redeemed(bytes32 " +
    "indexed orderID, bytes32 indexed secretHash, bytes secret)",
  "0xfe509803c09416b28ff3d8f690c8b0c61462a892c46d5430c8fb20abe472daf0 event Refunded(bytes32 " +
    "indexed orderID)",
  "0x84b0196e function eip712Domain() view returns (bytes1 fields, string name, string " +
    "version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)",
  "0x9d6a890f function initialise(address _token)",
  "0x4ede0ab7 function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 " +
    "secretHash, bytes destinationData)",
  "0x97ffc7ae function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 " +
    "secretHash)",
  "0x13d4a787 function initiateOnBehalf(address initiator, address redeemer, uint256 " +
    "timelock, uint256 amount, bytes32 secretHash)",
  "0xa66a8641 function initiateOnBehalf(address initiator, address redeemer, uint256 " +
    "timelock, uint256 amount, bytes32 secretHash, bytes destinationData)",
  "0xd4705e9e function initiateWithSignature(address initiator, address redeemer, uint256 " +
    "timelock, uint256 amount, bytes32 secretHash, bytes signature)",
  "0xedaf5fac function instantRefund(bytes32 orderID, bytes signature)",
  "0x4882a380 function instantRefundDigest(bytes32 orderID) view returns (bytes32)",
  "0x392e53cd function isInitialized() view returns (uint256)",
  "0x06fdde03 function name() view returns (string)",
  "0x9c3f1e90 function orders(bytes32) view returns (address initiator, address redeemer, " +
    "uint256 initiatedAt, uint256 timelock, uint256 amount, uint256 fulfilledAt)",
  "0xf7ff7207 function redeem(bytes32 orderID, bytes secret)",
  "0x7249fbb6 function refund(bytes32 orderID)",
  "0xfc0c546a function token() view returns (address)",
  "0x54fd4d50 function version() view returns (string)",
]

/** HTLC of the native coin. */
export const AUDITED_NATIVE_HTLC: readonly string[] = [
  "0xb3512b0c error InvalidShortString()",
  "0x850c33e1 error NativeHTLC__DuplicateOrder()",
  "0xa6fe390b error NativeHTLC__IncorrectFundsRecieved()",
  "0xe3358152 error NativeHTLC__IncorrectSecret()",
  "0x98fa56bc error NativeHTLC__InvalidRedeemerSignature()",
  "0x38258a2d error NativeHTLC__OrderFulfilled()",
  "0x221bb10a error NativeHTLC__OrderNotExpired()",
  "0x71e76dc2 error NativeHTLC__OrderNotInitiated()",
  "0x5e1dd837 error NativeHTLC__SameFunderAndRedeemer()",
  "0xb67261d3 error NativeHTLC__SameInitiatorAndRedeemer()",
  "0x63cf1fac error NativeHTLC__ZeroAddressInitiator()",
  "0x64c7ce67 error NativeHTLC__ZeroAddressRedeemer()",
  "0x0e3e0208 error NativeHTLC__ZeroAmount()",
  "0x2907afb8 error NativeHTLC__ZeroTimelock()",
  "0x305a27a9 error StringTooLong(string str)",
  "0x0a6387c9ea3628b88a633bb4f3b151770f70085117a15f9bf3787cda53f13d31 event EIP712DomainChanged()",
  "0x01b41cbd4bbcc3c5b968a04d3fbdd8c1648a39ff6d9a3929b4840cea1142bc65 event " +
    "Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 indexed amount)",
  "0x380328b26f928a9e51ec19f8e2199a2bce34db266d093d1e0104bce139ed7555 event " +
    "InitiatedWithDestinationData(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 " +
    "indexed amount, bytes destinationData)",
  "0x4c9a044220477b4e94dbb0d07ff6ff4ac30d443bef59098c4541b006954778e2 event Redeemed(bytes32 " +
    "indexed orderID, bytes32 indexed secretHash, bytes secret)",
  "0xfe509803c09416b28ff3d8f690c8b0c61462a892c46d5430c8fb20abe472daf0 event Refunded(bytes32 " +
    "indexed orderID)",
  "0x84b0196e function eip712Domain() view returns (bytes1 fields, string name, string " +
    "version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)",
  "0x4ede0ab7 function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 " +
    "secretHash, bytes destinationData) payable",
  "0x97ffc7ae function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 " +
    "secretHash) payable",
  "0x13d4a787 function initiateOnBehalf(address initiator, address redeemer, uint256 " +
    "timelock, uint256 amount, bytes32 secretHash) payable",
  "0xa66a8641 function initiateOnBehalf(address initiator, address redeemer, uint256 " +
    "timelock, uint256 amount, bytes32 secretHash, bytes destinationData) payable",
  "0xedaf5fac function instantRefund(bytes32 orderID, bytes signature)",
  "0x4882a380 function instantRefundDigest(bytes32 orderID) view returns (bytes32)",
  "0x06fdde03 function name() view returns (string)",
  "0x9c3f1e90 function orders(bytes32) view returns (address initiator, address redeemer, " +
    "uint256 initiatedAt, uint256 timelock, uint256 amount, uint256 fulfilledAt)",
  "0xf7ff7207 function redeem(bytes32 orderID, bytes secret)",
  "0x7249fbb6 function refund(bytes32 orderID)",
  "0xfc0c546a function token() view returns (address)",
  "0x54fd4d50 function version() view returns (string)",
]

/**
 * The errors of the two contracts on Arbitrum. All their other members are those of the two lists
 * above.
 */
export const AUDITED_ARBITRUM_ERRORS: readonly string[] = [
  "0xee1b963b error ArbHTLC__DuplicateOrder()",
  "0x9b08da28 error ArbHTLC__HTLCAlreadyInitialized()",
  "0xdc5114b6 error ArbHTLC__IncorrectSecret()",
  "0xffdca751 error ArbHTLC__InvalidInitiatorSignature()",
  "0x8a587036 error ArbHTLC__InvalidRedeemerSignature()",
  "0xa7dc33de error ArbHTLC__OrderFulfilled()",
  "0xcadc2009 error ArbHTLC__OrderNotExpired()",
  "0x693989cc error ArbHTLC__OrderNotInitiated()",
  "0x5a779308 error ArbHTLC__SameFunderAndRedeemer()",
  "0x8dd00073 error ArbHTLC__SameInitiatorAndRedeemer()",
  "0x4a471281 error ArbHTLC__ZeroAddressInitiator()",
  "0x800568f0 error ArbHTLC__ZeroAddressRedeemer()",
  "0xdcc830bf error ArbHTLC__ZeroAmount()",
  "0x893b04a3 error ArbHTLC__ZeroTimelock()",
  "0x78117f46 error ArbNativeHTLC__DuplicateOrder()",
  "0x5fe38e21 error ArbNativeHTLC__IncorrectFundsRecieved()",
  "0x134b2dba error ArbNativeHTLC__IncorrectSecret()",
  "0xfddc9ac8 error ArbNativeHTLC__InvalidRedeemerSignature()",
  "0x3a2816ff error ArbNativeHTLC__OrderFulfilled()",
  "0x9c5ad466 error ArbNativeHTLC__OrderNotExpired()",
  "0x29f30f7c error ArbNativeHTLC__OrderNotInitiated()",
  "0xadf46922 error ArbNativeHTLC__SameFunderAndRedeemer()",
  "0x8beac3ad error ArbNativeHTLC__SameInitiatorAndRedeemer()",
  "0xc6d25e9a error ArbNativeHTLC__ZeroAddressInitiator()",
  "0x5feb7184 error ArbNativeHTLC__ZeroAddressRedeemer()",
  "0x2aa1d97f error ArbNativeHTLC__ZeroAmount()",
  "0xb9978e49 error ArbNativeHTLC__ZeroTimelock()",
]
